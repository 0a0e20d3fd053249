package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.Optional;

import dev.ratelimit.rule.EnumNames;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;
import org.springframework.util.ClassUtils;

/**
 * Describes the reason for which the value of a property below {@code ratelimit} cannot
 * be converted, in the words of the documentation: the value is not one of the constants,
 * not a duration, or not a number.
 */
@Order(0)
final class InvalidValueFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

	private static final ConfigurationPropertyName OURS = ConfigurationPropertyName.of("ratelimit");

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
		ConfigurationProperty property = cause.getProperty();
		if (property == null || !OURS.isAncestorOf(property.getName())) {
			return null;
		}
		Class<?> type = cause.getTarget().getType().resolve(Object.class);
		String value = String.valueOf(property.getValue());
		return reason(type, value).map((reason) -> analysis(property, type, value, reason, cause)).orElse(null);
	}

	private static FailureAnalysis analysis(ConfigurationProperty property, Class<?> type, String value, String reason,
			BindException cause) {
		String origin = (property.getOrigin() != null) ? "%n    Origin: %s".formatted(property.getOrigin()) : "";
		return new FailureAnalysis(
				"Invalid rate limit configuration:%n%n    Property: %s%n    Value: %s%s%n    Reason: %s"
					.formatted(property.getName(), value, origin, reason),
				(type.isEnum()) ? "Set one of these values, or remove the property."
						: "Correct the value, or remove the property.",
				cause);
	}

	/**
	 * Return the reason for which a text is not a value of a type.
	 * @param type the type of a property
	 * @param text the text
	 * @return a sentence without a full stop; empty if there are no words for the type
	 */
	static Optional<String> reason(Class<?> type, String text) {
		if (type.isEnum()) {
			return Optional.of(EnumNames.reason(type, text));
		}
		Class<?> boxed = ClassUtils.resolvePrimitiveIfNecessary(type);
		if (boxed == Boolean.class) {
			return Optional.of("it must be 'true' or 'false'");
		}
		if (boxed == Duration.class || boxed == WaitProperties.class) {
			return Optional.of("it is not a duration such as 10s or 500ms");
		}
		if (boxed == Double.class || boxed == Float.class) {
			return Optional.of("it is not a number");
		}
		return (Number.class.isAssignableFrom(boxed)) ? Optional.of("it is not a whole number") : Optional.empty();
	}

}
