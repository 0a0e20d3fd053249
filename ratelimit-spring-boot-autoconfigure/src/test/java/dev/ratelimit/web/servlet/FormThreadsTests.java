package dev.ratelimit.web.servlet;

import org.junit.jupiter.api.Test;

import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.core.convert.support.ConfigurableConversionService;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link FormThreads}.
 */
class FormThreadsTests {

	private final MockEnvironment environment = new MockEnvironment();

	FormThreadsTests() {
		this.environment
			.setConversionService((ConfigurableConversionService) ApplicationConversionService.getSharedInstance());
	}

	@Test
	void formsAreAsLargeAsTheServerAllowsByDefault() {
		assertThat(FormThreads.size(this.environment, true)).isEqualTo(new FormSize(2 << 20, 1000));
		assertThat(FormThreads.size(this.environment, false)).isEqualTo(new FormSize(200_000, 1000));
	}

	@Test
	void propertiesOfAnotherServerDoNotMatter() {
		this.environment.withProperty("server.tomcat.max-http-form-post-size", "10KB")
			.withProperty("server.tomcat.max-parameter-count", "10")
			.withProperty("server.jetty.max-http-form-post-size", "20KB")
			.withProperty("server.jetty.max-form-keys", "20");
		assertThat(FormThreads.size(this.environment, true)).isEqualTo(new FormSize(10 << 10, 10));
		assertThat(FormThreads.size(this.environment, false)).isEqualTo(new FormSize(20 << 10, 20));
	}

	@Test
	void formsWithoutAMaximumHaveOne() {
		this.environment.withProperty("server.tomcat.max-http-form-post-size", "-1")
			.withProperty("server.tomcat.max-parameter-count", "-1");
		assertThat(FormThreads.size(this.environment, true)).isEqualTo(new FormSize(2 << 20, Integer.MAX_VALUE));
	}

}
