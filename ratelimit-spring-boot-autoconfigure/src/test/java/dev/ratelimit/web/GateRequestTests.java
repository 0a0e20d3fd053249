package dev.ratelimit.web;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class GateRequestTests {

	@Test
	void onlyRequestsThatACookieAuthenticatesAreMadeByOtherSites() {
		assertThat(request().isCrossSite()).as("without credentials").isFalse();
		assertThat(request().header("Cookie", "SESSION=1").isCrossSite()).isTrue();
		assertThat(request().header("Authorization", "Bearer x").isCrossSite()).isFalse();
		assertThat(request().header("Cookie", "any=1").header("Authorization", "Bearer x").isCrossSite()).isFalse();
		assertThat(FakeRequest.get("/").header("Sec-Fetch-Site", "same-site").header("Cookie", "a=1").isCrossSite())
			.isFalse();
	}

	private static FakeRequest request() {
		return FakeRequest.get("/").header("Sec-Fetch-Site", "cross-site");
	}

}
