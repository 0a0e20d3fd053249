package dev.ratelimit.live;

import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if a source of live rules is configured, or if the application has one as a
 * bean.
 */
final class LiveSourceCondition extends AnyNestedCondition {

	LiveSourceCondition() {
		super(ConfigurationPhase.REGISTER_BEAN);
	}

	@Conditional(Property.class)
	static final class Configured {

	}

	@ConditionalOnBean(RuleSource.class)
	static final class Bean {

	}

	/**
	 * Matches if the property has a value other than {@code none}.
	 */
	static final class Property extends SpringBootCondition {

		@Override
		public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
			String source = context.getEnvironment().getProperty("ratelimit.live.source", "none");
			ConditionMessage.Builder message = ConditionMessage.forCondition("live rules");
			return new ConditionOutcome(!source.isBlank() && !source.equalsIgnoreCase("none"),
					message.because("'ratelimit.live.source' is '" + source + "'"));
		}

	}

}
