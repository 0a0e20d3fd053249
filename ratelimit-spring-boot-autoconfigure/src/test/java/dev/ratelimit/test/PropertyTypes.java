package dev.ratelimit.test;

import java.util.Map;
import java.util.TreeMap;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;

/**
 * Lists the types that properties are bound to.
 */
public final class PropertyTypes {

	private PropertyTypes() {
	}

	/**
	 * Return all types that are bound to {@code ratelimit} or to a group below it.
	 * @return the types by their prefixes, {@code ratelimit} first
	 */
	public static Map<String, Class<?>> all() {
		ClassPathScanningCandidateComponentProvider scanner = new ClassPathScanningCandidateComponentProvider(false);
		scanner.addIncludeFilter(new AnnotationTypeFilter(ConfigurationProperties.class));
		Map<String, Class<?>> types = new TreeMap<>();
		scanner.findCandidateComponents("dev.ratelimit").forEach((found) -> {
			Class<?> type = ClassUtils.resolveClassName(String.valueOf(found.getBeanClassName()), null);
			ConfigurationProperties annotation = AnnotationUtils.getAnnotation(type, ConfigurationProperties.class);
			if (annotation != null && annotation.prefix().startsWith("ratelimit")) {
				types.put(annotation.prefix(), type);
			}
		});
		return types;
	}

}
