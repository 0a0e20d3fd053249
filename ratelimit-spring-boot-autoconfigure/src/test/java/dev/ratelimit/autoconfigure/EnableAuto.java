package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.springframework.boot.autoconfigure.AutoConfigurationImportSelector;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.AnnotationAttributes;
import org.springframework.core.type.AnnotationMetadata;

/**
 * All auto-configurations of the class path, chosen as in an application: import filters
 * have their say too.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class EnableAuto {

	/** Everything reachable on every path, so that only the test's own rule can fail. */
	static final String RULE = "ratelimit.rules.all.limit=100/min";

	static final String PATHS = "ratelimit.rules.all.paths=/**";

	static ApplicationContextRunner plain() {
		return new ApplicationContextRunner().withUserConfiguration(EnableAuto.class);
	}

	static WebApplicationContextRunner servlet() {
		return new WebApplicationContextRunner().withUserConfiguration(EnableAuto.class);
	}

	/**
	 * A runner for many applications that do not start: without the auto-configurations
	 * that have no part in it, which take most of the time.
	 */
	static WebApplicationContextRunner failing() {
		return new WebApplicationContextRunner().withUserConfiguration(Needed.class);
	}

	static ReactiveWebApplicationContextRunner reactive() {
		return new ReactiveWebApplicationContextRunner().withUserConfiguration(EnableAuto.class);
	}

	@Configuration(proxyBeanMethods = false)
	@AutoConfigurationPackage
	@Import(NeededAutoConfigurations.class)
	static class Needed {

	}

	/**
	 * Chosen as in an application, of fewer candidates.
	 */
	static class NeededAutoConfigurations extends AutoConfigurationImportSelector {

		@Override
		protected Class<?> getAnnotationClass() {
			return EnableAutoConfiguration.class;
		}

		@Override
		public String[] selectImports(AnnotationMetadata metadata) {
			return getAutoConfigurationEntry(metadata).getConfigurations().toArray(String[]::new);
		}

		@Override
		protected AnnotationAttributes getAttributes(AnnotationMetadata metadata) {
			return new AnnotationAttributes(Map.of("exclude", new String[0], "excludeName", new String[0]));
		}

		@Override
		protected List<String> getCandidateConfigurations(AnnotationMetadata metadata,
				AnnotationAttributes attributes) {
			return super.getCandidateConfigurations(metadata, attributes).stream()
				.filter((name) -> name.startsWith("dev.ratelimit.")
						|| Stream.of(".webmvc.", ".security.", ".data.redis.").anyMatch(name::contains))
				.toList();
		}

	}

}
