package dev.ratelimit.autoconfigure;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.address.ClientAddress;
import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.address.IpAddress;
import dev.ratelimit.web.Callers;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.jetty.ConfigurableJettyWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Internal: on Jetty, resolves the client address before any other customizer runs,
 * because {@code ForwardedRequestCustomizer} changes the address of a request.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({ ConfigurableJettyWebServerFactory.class, Server.class })
final class JettyClientsConfiguration {

	// Without an order, so this customizer runs after all others.
	@Bean
	WebServerFactoryCustomizer<ConfigurableJettyWebServerFactory> rateLimitJettyClients(
			ObjectProvider<Callers> callers) {
		return (factory) -> callers
			.ifAvailable((clients) -> factory.addServerCustomizers((server) -> install(server, clients.addresses())));
	}

	private static void install(Server server, ClientAddresses addresses) {
		Clients clients = new Clients(addresses);
		for (Connector connector : server.getConnectors()) {
			for (ConnectionFactory factory : connector.getConnectionFactories()) {
				if (factory instanceof HttpConfiguration.ConnectionFactory http) {
					clients.goFirst(http.getHttpConfiguration());
				}
			}
		}
	}

	/**
	 * Stores the client address in an attribute of the request.
	 *
	 * @param addresses resolves the client address
	 */
	record Clients(ClientAddresses addresses) implements HttpConfiguration.Customizer {

		// Factories of one connector share their configuration.
		void goFirst(HttpConfiguration configuration) {
			List<HttpConfiguration.Customizer> customizers = new ArrayList<>(configuration.getCustomizers());
			customizers.remove(this);
			customizers.add(0, this);
			configuration.setCustomizers(customizers);
		}

		@Override
		public Request customize(Request request, HttpFields.Mutable responseHeaders) {
			request.setAttribute(ClientAddress.ATTRIBUTE,
					this.addresses.find(peer(request), (name) -> request.getHeaders().getValuesList(name)));
			return request;
		}

		private static IpAddress peer(Request request) {
			return (request.getConnectionMetaData().getRemoteSocketAddress() instanceof InetSocketAddress inet
					&& inet.getAddress() != null) ? IpAddress.of(inet.getAddress()) : IpAddress.UNKNOWN;
		}

	}

}
