package dev.ratelimit.web.servlet;

import dev.ratelimit.gate.ConnectionSlot;
import dev.ratelimit.gate.Endings;
import dev.ratelimit.gate.RequestProgress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;

class ServletCompletionTests {

	@ParameterizedTest
	@CsvSource({ "GET, 101, true", "GET, 200, false", "GET, 403, false", "CONNECT, 200, true", "CONNECT, 403, false" })
	void slotsAreKeptForAConnectionThatHasBegun(String method, int status, boolean kept) throws Exception {
		ConnectionSlot slot = mock();
		RequestProgress progress = mock();
		given(progress.pending()).willReturn(true);
		given(progress.endings()).willReturn(mock(Endings.class));
		MockHttpServletResponse response = new MockHttpServletResponse();
		MockHttpServletRequest request = new MockHttpServletRequest(method, "/ws");
		new ServletCompletion(request, response, () -> slot).filter((same, answer) -> response.setStatus(status),
				() -> progress, request, response);
		then(slot).should((kept) ? never() : times(1)).free();
	}

}
