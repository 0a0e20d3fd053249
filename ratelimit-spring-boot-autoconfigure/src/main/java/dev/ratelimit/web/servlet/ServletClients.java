package dev.ratelimit.web.servlet;

import java.util.Collections;

import dev.ratelimit.address.ClientAddress;
import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.address.IpAddress;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * Finds who has sent a servlet request, beneath what wraps it: filters that read
 * forwarding headers change the address and hide the headers.
 */
final class ServletClients {

	private ServletClients() {
	}

	static ClientAddress find(HttpServletRequest request, ClientAddresses addresses) {
		if (addresses.asksContainer()) {
			return addresses.reported(text(request.getRemoteAddr()));
		}
		// The server has said so before anybody could change it.
		if (request.getAttribute(ClientAddress.ATTRIBUTE) instanceof ClientAddress known) {
			return known;
		}
		HttpServletRequest received = received(request);
		return addresses.find(IpAddress.parse(text(received.getRemoteAddr())),
				(name) -> Collections.list(received.getHeaders(name)));
	}

	private static HttpServletRequest received(HttpServletRequest request) {
		ServletRequest innermost = request;
		while (innermost instanceof ServletRequestWrapper wrapper) {
			innermost = wrapper.getRequest();
		}
		return (innermost instanceof HttpServletRequest received) ? received : request;
	}

	private static String text(@Nullable String address) {
		return (address != null) ? address : "";
	}

}
