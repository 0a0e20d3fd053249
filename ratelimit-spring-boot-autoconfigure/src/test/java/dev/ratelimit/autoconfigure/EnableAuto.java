package dev.ratelimit.autoconfigure;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

/**
 * All auto-configurations of the class path, chosen as in an application: import filters
 * have their say too.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class EnableAuto {

	/** Everything reachable on every path, so that only the test's own rule can fail. */
	static final String RULE = "ratelimit.rules.all.limit=100/min";

	static final String PATHS = "ratelimit.rules.all.paths=/**";

	public static ApplicationContextRunner plain() {
		return new ApplicationContextRunner().withUserConfiguration(EnableAuto.class);
	}

	static WebApplicationContextRunner servlet() {
		return new WebApplicationContextRunner().withUserConfiguration(EnableAuto.class);
	}

	/**
	 * A runner for many applications whose rules matter alone: without the
	 * auto-configurations that have no part in it, which take most of the time.
	 */
	static WebApplicationContextRunner fewer() {
		return new WebApplicationContextRunner().withUserConfiguration(FewerAuto.class);
	}

	public static ReactiveWebApplicationContextRunner reactive() {
		return new ReactiveWebApplicationContextRunner().withUserConfiguration(EnableAuto.class);
	}

}
