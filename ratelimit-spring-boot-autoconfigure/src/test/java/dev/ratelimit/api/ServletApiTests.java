package dev.ratelimit.api;

import org.springframework.boot.WebApplicationType;

class ServletApiTests extends AbstractApiTests {

	ServletApiTests() {
		super(WebApplicationType.SERVLET);
	}

}
