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
 * Internal: on Tomcat, whose {@code RemoteIpValve} changes the address of a request and
 * takes hops out of its headers, the client is found before any other valve has its turn.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({ TomcatWebServerFactory.class, ValveBase.class })
final class TomcatClientsConfiguration {

	// Without an order, so after all others: valves that they add come behind.
	@Bean
	WebServerFactoryCustomizer<TomcatWebServerFactory> rateLimitTomcatClients(ObjectProvider<Callers> callers) {
		return (factory) -> callers.ifAvailable((clients) -> {
			List<Valve> valves = new ArrayList<>(factory.getEngineValves());
			valves.add(0, new ClientsValve(clients.addresses()));
			factory.setEngineValves(valves);
		});
	}

	/**
	 * Keeps the client's address in an attribute of the request.
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
