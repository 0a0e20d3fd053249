package dev.ratelimit.autoconfigure;

import dev.ratelimit.rule.EnumNames;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/**
 * Describes which value of a property below {@code ratelimit} is none of its constants,
 * in the spelling of the documentation.
 */
@Order(0)
final class UnknownConstantFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

	private static final ConfigurationPropertyName OURS = ConfigurationPropertyName.of("ratelimit");

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
		ConfigurationProperty property = cause.getProperty();
		Class<?> type = cause.getTarget().getType().resolve(Object.class);
		if (property == null || !type.isEnum() || !OURS.isAncestorOf(property.getName())) {
			return null;
		}
		String value = String.valueOf(property.getValue());
		String origin = (property.getOrigin() != null) ? "%n    Origin: %s".formatted(property.getOrigin()) : "";
		return new FailureAnalysis(
				"Invalid rate limit configuration:%n%n    Property: %s%n    Value: %s%s%n    Reason: %s"
					.formatted(property.getName(), value, origin, EnumNames.reason(type, value)),
				"Set one of these values, or remove the property.", cause);
	}

}
