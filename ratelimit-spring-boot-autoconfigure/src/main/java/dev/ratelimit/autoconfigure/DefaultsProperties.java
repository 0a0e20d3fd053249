package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import dev.ratelimit.Consistency;
import dev.ratelimit.FailurePolicy;
import dev.ratelimit.MissingKeyPolicy;
import dev.ratelimit.RuleMode;
import dev.ratelimit.rule.LimitOptions;
import dev.ratelimit.rule.LimitSetDefinition;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleDefinition;
import dev.ratelimit.rule.RuleOptions;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Internal: defaults of rules, below {@code ratelimit.defaults}.
 *
 * @param key Default key: caller, user, ip, global, route, header:X, cookie:x, path:x,
 * param:x, form:x, claim:x, arg:x, bean:x, or a list of these.
 * @param algorithm Algorithm of limits that do not set one.
 * @param failure Policy to apply while Redis is unavailable.
 * @param mode Whether rules reject, only count, or do nothing.
 * @param onMissingKey How to handle requests without the key.
 * @param status HTTP status of rejections, from 400 to 599.
 * @param idempotency Whether a retry with the same Idempotency-Key is free.
 * @param consistency Whether each decision calls Redis, or instances lease units in
 * advance.
 */
public record DefaultsProperties(@DefaultValue List<String> key, @Nullable String algorithm,
		@Nullable FailurePolicy failure, @Nullable RuleMode mode, @Nullable MissingKeyPolicy onMissingKey,
		@Nullable Integer status, @Nullable Boolean idempotency, @Nullable Consistency consistency) {

	public RuleDefinition definition() {
		LimitSetDefinition limits = new LimitSetDefinition(List.of(), OptionalLong.empty(),
				Optional.ofNullable(this.algorithm), LimitOptions.NONE);
		return new RuleDefinition(Rule.Match.NONE, this.key, limits, Map.of(),
				RuleOptions.of("ratelimit.defaults", this));
	}

}
