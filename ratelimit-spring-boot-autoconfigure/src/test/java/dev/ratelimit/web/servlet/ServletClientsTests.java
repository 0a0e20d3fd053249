package dev.ratelimit.web.servlet;

import java.io.IOException;
import java.util.List;

import dev.ratelimit.address.AddressHeader;
import dev.ratelimit.address.ClientAddress;
import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.address.IpAddress;
import dev.ratelimit.address.IpNetworks;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import org.junit.jupiter.api.Test;

import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.filter.ForwardedHeaderFilter;

import static org.assertj.core.api.Assertions.assertThat;

class ServletClientsTests {

	private static final ClientAddresses BEHIND = ClientAddresses.OF_PEER.behind(IpNetworks.of(List.of("10.0.0.0/8")),
			AddressHeader.X_FORWARDED_FOR);

	private final MockHttpServletRequest request = new MockHttpServletRequest();

	ServletClientsTests() {
		this.request.setRemoteAddr("10.0.0.5");
		this.request.addHeader("X-Forwarded-For", "1.1.1.1, 203.0.113.7");
	}

	@Test
	void clientIsFoundBeneathWhatWrapsTheRequest() throws Exception {
		HttpServletRequest wrapped = wrapped();
		assertThat(wrapped.getHeader("X-Forwarded-For")).isNull();
		assertThat(ServletGateRequest.ServletClients.find(wrapped, BEHIND).key()).isEqualTo("203.0.113.7");
		assertThat(ServletGateRequest.ServletClients.find(wrapped, ClientAddresses.OF_PEER).key())
			.isEqualTo("10.0.0.5");
		assertThat(ServletGateRequest.ServletClients.find(wrapped, ClientAddresses.OF_PEER.byContainer()).key())
			.isEqualTo("1.1.1.1");
	}

	@Test
	void attributeOfServerIsUsed() throws Exception {
		this.request.setAttribute(ClientAddress.ATTRIBUTE, ClientAddress.of(IpAddress.parse("192.0.2.1"), 64));
		assertThat(ServletGateRequest.ServletClients.find(wrapped(), BEHIND).key()).isEqualTo("192.0.2.1");
	}

	@Test
	void requestWithoutAddressHasUnknownClient() {
		this.request.setRemoteAddr(null);
		assertThat(ServletGateRequest.ServletClients.find(this.request, BEHIND).key()).isEqualTo("unknown");
	}

	private HttpServletRequest wrapped() throws ServletException, IOException {
		MockFilterChain chain = new MockFilterChain();
		new ForwardedHeaderFilter().doFilter(this.request, new MockHttpServletResponse(), chain);
		return (HttpServletRequest) chain.getRequest();
	}

}
