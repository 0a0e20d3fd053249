package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.MissingKey;
import dev.ratelimit.Phase;
import dev.ratelimit.RuleMode;
import dev.ratelimit.rule.LimitDefinition;
import dev.ratelimit.rule.LimitOptions;
import dev.ratelimit.rule.RuleDefinition;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * One rule under {@code ratelimit.rules.<id>}.
 *
 * @param paths Path patterns after the context path. Without any, the rule applies only
 * where an annotation or code names it.
 * @param exceptPaths Patterns of paths to leave out.
 * @param methods HTTP methods; GET includes HEAD. Without any, all.
 * @param key Whose bucket: caller, user, ip, global, route, header:X, path:x, param:x,
 * bean:x, or a list of these.
 * @param limit The limit, such as 100/min.
 * @param limits Several limits, all of which hold.
 * @param burst Units that may come at once, if not the limit's quantity.
 * @param algorithm The algorithm.
 * @param zone For the algorithm fixed-window, the time zone by whose calendar hours, days
 * and months begin.
 * @param credit For the algorithm token-bucket, units beyond the burst that a bucket
 * which is not empty may still give; they are paid back first.
 * @param lease For the algorithm concurrency, how long a request counts as under way that
 * is never said to have ended. By default, 1 minute.
 * @param cost Units that one request costs.
 * @param failure What answers while the store is unavailable.
 * @param mode Whether the rule refuses, only watches, or rests.
 * @param onMissingKey What a request without the key gets.
 * @param phase Whether the rule is decided before or after authentication.
 * @param status HTTP status of a refusal, from 400 to 599.
 * @param idempotency Whether a retry with the same Idempotency-Key is free.
 * @param programmatic Whether only code names the rule, so that it needs no paths.
 * @since 0.1.0
 */
public record RuleProperties(@DefaultValue List<String> paths, @DefaultValue List<String> exceptPaths,
		@DefaultValue List<String> methods, @DefaultValue List<String> key, @Nullable String limit,
		@DefaultValue List<LimitProperties> limits, @Nullable Long burst, @Nullable String algorithm,
		@Nullable String zone, @Nullable Long credit, @Nullable Duration lease, @Nullable Long cost,
		@Nullable FailurePolicy failure, @Nullable RuleMode mode, @Nullable MissingKey onMissingKey,
		@Nullable Phase phase, @Nullable Integer status, @Nullable Boolean idempotency,
		@DefaultValue("false") boolean programmatic) {

	RuleDefinition definition() {
		List<LimitDefinition> all = new ArrayList<>();
		if (this.limit != null) {
			all.add(LimitDefinition.of(this.limit));
		}
		this.limits.forEach((one) -> all.add(one.definition()));
		return new RuleDefinition(rejoined(this.paths), rejoined(this.exceptPaths),
				this.methods.stream().map((method) -> method.toUpperCase(Locale.ROOT)).toList(), this.key, all,
				(this.burst != null) ? OptionalLong.of(this.burst) : OptionalLong.empty(),
				Optional.ofNullable(this.algorithm),
				(this.cost != null) ? OptionalLong.of(this.cost) : OptionalLong.empty(),
				Optional.ofNullable(this.failure), Optional.ofNullable(this.mode),
				Optional.ofNullable(this.onMissingKey),
				Optional.ofNullable(this.phase).filter((chosen) -> chosen != Phase.AUTO), status(this.status),
				Optional.ofNullable(this.idempotency), this.programmatic, options(this.zone, this.credit, this.lease));
	}

	static RuleDefinition definition(RateLimitProperties.Defaults defaults) {
		return new RuleDefinition(List.of(), List.of(), List.of(), defaults.key(), List.of(), OptionalLong.empty(),
				Optional.ofNullable(defaults.algorithm()), OptionalLong.empty(),
				Optional.ofNullable(defaults.failure()), Optional.ofNullable(defaults.mode()),
				Optional.ofNullable(defaults.onMissingKey()), Optional.empty(), status(defaults.status()),
				Optional.ofNullable(defaults.idempotency()), false);
	}

	private static LimitOptions options(@Nullable String zone, @Nullable Long credit, @Nullable Duration lease) {
		return new LimitOptions(Optional.ofNullable(zone),
				(credit != null) ? OptionalLong.of(credit) : OptionalLong.empty(), Optional.ofNullable(lease));
	}

	private static OptionalInt status(@Nullable Integer status) {
		return (status != null) ? OptionalInt.of(status) : OptionalInt.empty();
	}

	// A list written as one text is split at every comma, also inside {1,3}.
	private static List<String> rejoined(List<String> patterns) {
		List<String> whole = new ArrayList<>();
		StringBuilder open = new StringBuilder();
		for (String part : patterns) {
			open.append((open.isEmpty()) ? "" : ",").append(part);
			if (count(open, '{') <= count(open, '}')) {
				whole.add(open.toString());
				open.setLength(0);
			}
		}
		if (!open.isEmpty()) {
			whole.add(open.toString());
		}
		return List.copyOf(whole);
	}

	private static long count(CharSequence text, char character) {
		return text.chars().filter((candidate) -> candidate == character).count();
	}

	/**
	 * One of several limits: text such as 100/min, or an object.
	 *
	 * @param limit The limit, such as 100/min.
	 * @param burst Units that may come at once, if not the limit's quantity.
	 * @param algorithm The algorithm.
	 * @param zone For the algorithm fixed-window, the time zone by whose calendar hours,
	 * days and months begin.
	 * @param credit For the algorithm token-bucket, units beyond the burst that a bucket
	 * which is not empty may still give; they are paid back first.
	 * @param lease For the algorithm concurrency, how long a request counts as under way
	 * that is never said to have ended. By default, 1 minute.
	 */
	public record LimitProperties(String limit, @Nullable Long burst, @Nullable String algorithm, @Nullable String zone,
			@Nullable Long credit, @Nullable Duration lease) {

		/**
		 * A limit written as text.
		 * @param text the text form, such as {@code 100/min}
		 * @return the limit
		 */
		public static LimitProperties of(String text) {
			return new LimitProperties(text, null, null, null, null, null);
		}

		LimitDefinition definition() {
			return new LimitDefinition(this.limit,
					(this.burst != null) ? OptionalLong.of(this.burst) : OptionalLong.empty(),
					Optional.ofNullable(this.algorithm), options(this.zone, this.credit, this.lease));
		}

	}

}
