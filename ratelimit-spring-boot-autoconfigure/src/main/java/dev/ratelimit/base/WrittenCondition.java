package dev.ratelimit.base;

import java.util.Arrays;
import java.util.List;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Internal: matches if a property or a property below it is set. The condition only reads
 * names, because the binding of many rules takes time. An asterisk matches any element:
 * {@code ratelimit.rules.*.ban} is an option of a rule.
 */
public abstract class WrittenCondition extends SpringBootCondition {

	private static final String ANY = "*";

	private final String what;

	private final String property;

	/**
	 * Create a condition.
	 * @param what the feature that the property configures, for the report of conditions
	 * @param property the property
	 */
	public WrittenCondition(String what, String property) {
		this.what = what;
		this.property = property;
	}

	@Override
	public final ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		ConditionMessage.Builder message = ConditionMessage.forCondition(this.what);
		return (isWritten(context.getEnvironment(), this.property))
				? ConditionOutcome.match(message.because("'" + this.property + "' is written"))
				: ConditionOutcome.noMatch(message.because("'" + this.property + "' is not written"));
	}

	/**
	 * Return whether a property or a property below it is set.
	 * @param environment the properties
	 * @param property its name, with asterisks for any element
	 * @return whether it is set
	 */
	public static boolean isWritten(Environment environment, String property) {
		List<String> elements = Arrays.asList(property.replace("-", "").split("\\."));
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
			if (source instanceof IterableConfigurationPropertySource names
					&& names.stream().anyMatch((name) -> begins(name, elements))) {
				return true;
			}
		}
		return false;
	}

	private static boolean begins(ConfigurationPropertyName name, List<String> elements) {
		if (name.getNumberOfElements() < elements.size()) {
			return false;
		}
		for (int i = 0; i < elements.size(); i++) {
			String element = elements.get(i);
			if (!element.equals(ANY) && !element.equals(name.getElement(i, Form.UNIFORM))) {
				return false;
			}
		}
		return true;
	}

}
