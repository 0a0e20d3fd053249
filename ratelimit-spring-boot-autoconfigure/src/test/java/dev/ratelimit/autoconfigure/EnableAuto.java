package dev.ratelimit.autoconfigure;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

/**
 * Enables all auto-configurations of the class path, as in an application, including
 * import filters.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class EnableAuto {

	/** A valid rule, so that only the rule of the test can fail. */
	static final String RULE = "ratelimit.rules.all.limit=100/min";

	static final String PATHS = "ratelimit.rules.all.paths=/**";

	public static ApplicationContextRunner plain() {
		return new ApplicationContextRunner().withUserConfiguration(EnableAuto.class);
	}

	static WebApplicationContextRunner servlet() {
		return new WebApplicationContextRunner().withUserConfiguration(EnableAuto.class);
	}

	/**
	 * Return a runner for many applications of which only the rules matter. It excludes
	 * irrelevant auto-configurations, which take most of the time.
	 */
	static WebApplicationContextRunner fewer() {
		return new WebApplicationContextRunner().withUserConfiguration(FewerAuto.class);
	}

	public static ReactiveWebApplicationContextRunner reactive() {
		return new ReactiveWebApplicationContextRunner().withUserConfiguration(EnableAuto.class);
	}

}
