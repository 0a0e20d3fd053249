package dev.ratelimit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Limits a controller method, or all methods of a controller together with one bucket. A
 * method's annotations replace those of its class. Repeatable, and usable on annotations.
 * <p>
 * Attributes left out take the values of {@code ratelimit.defaults}; properties under
 * {@code ratelimit.rules.<id>} override any attribute.
 *
 * @since 0.1.0
 */
@Target({ ElementType.METHOD, ElementType.TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Repeatable(RateLimited.All.class)
public @interface RateLimited {

	/**
	 * The limits, such as {@code "100/min"}; all of them hold.
	 * @return the limits
	 */
	String[] value() default {};

	/**
	 * The rule's id; by default built from class and method, such as
	 * {@code hello-controller-hello}.
	 * @return the id
	 */
	String id() default "";

	/**
	 * The id of a rule under {@code ratelimit.rules} to apply; no other attribute goes
	 * with it.
	 * @return the id of an existing rule
	 */
	String rule() default "";

	/**
	 * Whose bucket: {@code caller}, {@code user}, {@code ip}, {@code global},
	 * {@code route}, {@code header:X}, {@code path:x}, {@code param:x}, {@code form:x},
	 * {@code claim:x}, {@code bean:x}; several together make one key.
	 * @return the key
	 */
	String[] key() default {};

	/**
	 * Units that may come at once; 0 means the limit's quantity.
	 * @return the burst
	 */
	long burst() default 0;

	/**
	 * The algorithm; by default that of {@code ratelimit.defaults}.
	 * @return the algorithm's id
	 */
	String algorithm() default "";

	/**
	 * What one request costs: a number, {@code header:X}, {@code param:x},
	 * {@code content-length} or {@code bean:x}.
	 * @return the cost
	 */
	String cost() default "1";

	/**
	 * What answers while the store is unavailable; at most one value.
	 * @return the failure policy
	 */
	FailurePolicy[] failure() default {};

	/**
	 * Whether the rule refuses or only watches; at most one value.
	 * @return the mode
	 */
	RuleMode[] mode() default {};

	/**
	 * Whether each decision asks the store; at most one value.
	 * @return the consistency
	 */
	Consistency[] consistency() default {};

	/**
	 * What a request without the key gets; at most one value.
	 * @return the policy for missing keys
	 */
	MissingKeyPolicy[] onMissingKey() default {};

	/**
	 * When the rule is decided.
	 * @return the phase
	 */
	Phase phase() default Phase.AUTO;

	/**
	 * The HTTP status of a refusal, 400 to 599; 0 means the default of the situation.
	 * @return the status
	 */
	int status() default 0;

	/**
	 * Whether a retry with the same {@code Idempotency-Key} passes without a charge.
	 * @return whether retries are free
	 */
	boolean idempotency() default false;

	/**
	 * Exempts a handler method, or all of a controller that have no {@link RateLimited}
	 * of their own, from rules: those of annotations on a super type or the class, and
	 * those with {@code paths}. On a method of another bean, from the rules of its class.
	 */
	@Target({ ElementType.METHOD, ElementType.TYPE })
	@Retention(RetentionPolicy.RUNTIME)
	@Documented
	@interface Exempt {

		/**
		 * The ids of the rules that do not apply; none means that no rule does.
		 * @return ids of existing rules
		 */
		String[] value() default {};

	}

	/**
	 * Holds repeated annotations.
	 */
	@Target({ ElementType.METHOD, ElementType.TYPE })
	@Retention(RetentionPolicy.RUNTIME)
	@Documented
	@interface All {

		/**
		 * The annotations.
		 * @return the annotations
		 */
		RateLimited[] value();

	}

}
