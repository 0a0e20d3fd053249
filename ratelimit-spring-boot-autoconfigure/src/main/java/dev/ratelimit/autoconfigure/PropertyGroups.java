package dev.ratelimit.autoconfigure;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Internal: the groups of properties below {@code ratelimit} that capabilities bind.
 * {@link RateLimitProperties} binds all other properties, and rejects properties that do
 * not belong to a group.
 *
 * @param types the type of each group by its prefix
 */
public record PropertyGroups(Map<ConfigurationPropertyName, Class<?>> types) {

	private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("ratelimit");

	/**
	 * Load the groups of all capabilities on the class path, whether or not they are
	 * configured. A file in {@code META-INF/spring} lists them.
	 * @param classes the class loader of their types
	 * @return the groups
	 */
	public static PropertyGroups load(@Nullable ClassLoader classes) {
		Map<ConfigurationPropertyName, Class<?>> types = new LinkedHashMap<>();
		for (String name : ImportCandidates.load(PropertyGroups.class, classes)) {
			Class<?> type = ClassUtils.resolveClassName(name, classes);
			ConfigurationProperties group = Objects
				.requireNonNull(AnnotationUtils.getAnnotation(type, ConfigurationProperties.class));
			types.put(ConfigurationPropertyName.of(group.prefix()), type);
		}
		return new PropertyGroups(Map.copyOf(types));
	}

	/**
	 * Exclude properties of groups from the rejection of unknown properties, because each
	 * group rejects unknown properties below its prefix.
	 * @param handler a handler that rejects all properties that are not bound
	 * @return a handler that rejects only properties that do not belong to a group
	 */
	BindHandler except(BindHandler handler) {
		return new AbstractBindHandler(handler) {

			@Override
			public void onFinish(ConfigurationPropertyName name, Bindable<?> target, BindContext context,
					@Nullable Object result) throws Exception {
				try {
					super.onFinish(name, target, context, result);
				}
				catch (UnboundConfigurationPropertiesException ex) {
					reject(name, ex);
				}
			}

		};
	}

	private void reject(ConfigurationPropertyName name, UnboundConfigurationPropertiesException failure) {
		if (!name.equals(ROOT)) {
			throw failure;
		}
		Set<ConfigurationProperty> unknown = failure.getUnboundProperties()
			.stream()
			.filter((property) -> this.types.keySet()
				.stream()
				.noneMatch((group) -> group.equals(property.getName()) || group.isAncestorOf(property.getName())))
			.collect(Collectors.toSet());
		if (!unknown.isEmpty()) {
			throw new UnboundConfigurationPropertiesException(unknown);
		}
	}

	/**
	 * Bind all groups.
	 * @param environment the properties
	 * @return the values of each group by its prefix, as texts
	 */
	public Map<String, String> values(Environment environment) {
		Map<String, String> values = new LinkedHashMap<>();
		this.types.forEach((prefix, type) -> values.put(prefix.toString(),
				Binder.get(environment).bindOrCreate(prefix, Bindable.of(type), rejecting()).toString()));
		return values;
	}

	private static BindHandler rejecting() {
		return new NoUnboundElementsBindHandler(BindHandler.DEFAULT, new UnboundElementsSourceFilter());
	}

}
