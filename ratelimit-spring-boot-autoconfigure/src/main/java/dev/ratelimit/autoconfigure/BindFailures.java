package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;

import dev.ratelimit.rule.EnumNames;
import dev.ratelimit.rule.InvalidRuleException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.core.convert.ConversionFailedException;

/**
 * Puts into our words what Boot's binder says of a document that nobody started the
 * application with.
 */
final class BindFailures {

	private static final String LIST = "docs/configuration.md lists all properties of rules.";

	private BindFailures() {
	}

	static InvalidRuleException invalidRule(String location, String root, RuntimeException failure) {
		UnboundConfigurationPropertiesException unbound = find(failure, UnboundConfigurationPropertiesException.class);
		if (unbound != null) {
			String name = unbound.getUnboundProperties().iterator().next().getName().toString();
			return new InvalidRuleException(location + below(root, name), "", "this property does not exist", LIST);
		}
		InvalidRuleException ours = find(failure, InvalidRuleException.class);
		if (ours != null) {
			return ours;
		}
		BindException bind = find(failure, BindException.class);
		if (bind == null) {
			throw failure;
		}
		ConfigurationProperty property = bind.getProperty();
		return new InvalidRuleException(
				location + below(root, (property != null) ? property.getName().toString() : bind.getName().toString()),
				(property != null) ? String.valueOf(property.getValue()) : "", reason(failure, bind), LIST);
	}

	private static String below(String root, String name) {
		return name.substring(Math.min(root.length(), name.length()));
	}

	private static String reason(RuntimeException failure, BindException bind) {
		ConversionFailedException conversion = find(failure, ConversionFailedException.class);
		Class<?> type = (conversion != null) ? conversion.getTargetType().getObjectType()
				: bind.getTarget().getType().resolve(Object.class);
		if (type.isEnum()) {
			return "it must be one of " + Arrays.stream(type.getEnumConstants())
				.map((constant) -> "'" + EnumNames.of((Enum<?>) constant) + "'")
				.collect(Collectors.joining(", "));
		}
		if (type == Boolean.class || type == boolean.class) {
			return "it must be 'true' or 'false'";
		}
		if (type == Duration.class) {
			return "it is not a duration such as 10s";
		}
		return (Number.class.isAssignableFrom(type)) ? "it is not a whole number" : "it has another form";
	}

	private static <T extends Throwable> @Nullable T find(Throwable failure, Class<T> type) {
		Throwable next = failure;
		while (next != null && !type.isInstance(next)) {
			next = next.getCause();
		}
		return type.cast(next);
	}

}
