package dev.ratelimit.autoconfigure;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import dev.ratelimit.address.ClientAddress;
import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.address.IpAddress;
import dev.ratelimit.web.Callers;
import jakarta.servlet.ServletException;
import org.apache.catalina.Valve;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.tomcat.TomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Internal: on Tomcat, resolves the client address before any other valve runs, because
 * {@code RemoteIpValve} changes the address of a request and removes hops from its
 * headers.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({ TomcatWebServerFactory.class, ValveBase.class })
final class TomcatClientsConfiguration {

	// Without an order, so this customizer runs after all others, and its valve precedes
	// their valves.
	@Bean
	WebServerFactoryCustomizer<TomcatWebServerFactory> rateLimitTomcatClients(ObjectProvider<Callers> callers) {
		return (factory) -> callers.ifAvailable((clients) -> {
			List<Valve> valves = new ArrayList<>(factory.getEngineValves());
			valves.add(0, new ClientsValve(clients.addresses()));
			factory.setEngineValves(valves);
		});
	}

	/**
	 * Stores the client address in an attribute of the request.
	 */
	static final class ClientsValve extends ValveBase {

		private final ClientAddresses addresses;

		ClientsValve(ClientAddresses addresses) {
			super(true);
			this.addresses = addresses;
		}

		@Override
		public void invoke(Request request, Response response) throws IOException, ServletException {
			String peer = request.getRemoteAddr();
			request.setAttribute(ClientAddress.ATTRIBUTE, this.addresses.find(
					IpAddress.parse((peer != null) ? peer : ""), (name) -> Collections.list(request.getHeaders(name))));
			getNext().invoke(request, response);
		}

	}

}
