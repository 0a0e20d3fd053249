package dev.ratelimit.api;

import org.springframework.boot.WebApplicationType;

class ReactiveApiTests extends AbstractApiTests {

	ReactiveApiTests() {
		super(WebApplicationType.REACTIVE);
	}

}
