package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.springframework.boot.autoconfigure.AutoConfigurationImportSelector;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.AnnotationAttributes;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Enables the auto-configurations that an application with an invalid rule needs.
 */
@Configuration(proxyBeanMethods = false)
@AutoConfigurationPackage
@Import(FewerAuto.NeededAutoConfigurations.class)
class FewerAuto {

	/**
	 * Selects auto-configurations as in an application, but from fewer candidates.
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
