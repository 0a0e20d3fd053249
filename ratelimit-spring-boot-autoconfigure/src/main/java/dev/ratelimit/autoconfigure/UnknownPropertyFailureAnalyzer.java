package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import dev.ratelimit.base.FindingCode;
import dev.ratelimit.rule.SimilarNames;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Describes which property below {@code ratelimit} does not exist, and its location. The
 * value is omitted, because it can be a secret with a misspelled name.
 */
@Order(0)
final class UnknownPropertyFailureAnalyzer extends AbstractFailureAnalyzer<UnboundConfigurationPropertiesException> {

	private static final ConfigurationPropertyName OURS = ConfigurationPropertyName.of("ratelimit");

	private static final FindingCode CODE = FindingCode.UNKNOWN_PROPERTY;

	private final Environment environment;

	UnknownPropertyFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, UnboundConfigurationPropertiesException cause) {
		List<ConfigurationProperty> unknown = cause.getUnboundProperties()
			.stream()
			.filter((property) -> OURS.isAncestorOf(property.getName()))
			.toList();
		if (unknown.isEmpty()) {
			return null;
		}
		String list = unknown.stream().map(this::line).collect(Collectors.joining());
		String texts = unknown.stream()
			.flatMap((property) -> text(property.getName()).stream())
			.map((text) -> "Write '" + text.getName() + "' as one text or as properties, in all files alike. ")
			.distinct()
			.collect(Collectors.joining());
		return new FailureAnalysis("%s %s, so a limit would not be enforced:%n%s".formatted(CODE.id(), CODE
			.title(), list), texts
					+ "Correct the name, or remove the property. docs/configuration.md lists the properties of a rule,"
					+ " and docs/reference.md all others. See " + CODE.link() + ".",
				cause);
	}

	// A value that is one text, in this or another file, has precedence over properties
	// below it.
	private Optional<ConfigurationProperty> text(ConfigurationPropertyName written) {
		for (ConfigurationPropertyName name = written.getParent(); OURS.isAncestorOf(name); name = name.getParent()) {
			for (ConfigurationPropertySource source : ConfigurationPropertySources.get(this.environment)) {
				ConfigurationProperty text = source.getConfigurationProperty(name);
				if (text != null) {
					return Optional.of(text);
				}
			}
		}
		return Optional.empty();
	}

	private String line(ConfigurationProperty property) {
		String origin = (property.getOrigin() != null) ? "%n    Origin: %s".formatted(property.getOrigin()) : "";
		String meant = text(property.getName())
			.map((text) -> "%n    '%s' is one text, at %s, so properties below it are not read"
				.formatted(text.getName(), text.getOrigin()))
			.or(() -> meant(property.getName()).map("%n    Did you mean: %s"::formatted))
			.orElse("");
		return "%n    Property: %s%s%s%n".formatted(property.getName(), origin, meant);
	}

	private static Optional<String> meant(ConfigurationPropertyName written) {
		Map<ConfigurationPropertyName, Class<?>> groups = PropertyGroups.load(null).types();
		for (Map.Entry<ConfigurationPropertyName, Class<?>> group : groups.entrySet()) {
			if (group.getKey().isAncestorOf(written)) {
				return PropertyNames.nearest(group.getKey(), group.getValue(), written);
			}
		}
		List<String> names = groups.keySet().stream().map((name) -> name.getElement(1, Form.DASHED)).toList();
		return PropertyNames.nearest(OURS, RateLimitProperties.class, written)
			.or(() -> SimilarNames.nearest(written.getElement(1, Form.DASHED), names)
				.map((name) -> OURS.append(name).toString()));
	}

}
