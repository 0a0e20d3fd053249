package dev.ratelimit.test;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import dev.ratelimit.Limit;
import dev.ratelimit.algorithm.Algorithms;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A golden case of one algorithm: the expected results of calls at given times.
 *
 * @param note a description of the case
 * @param limit the limit
 * @param steps the calls and their results, in order
 */
public record GoldenVectors(String note, Limit limit, List<Step> steps) {

	/**
	 * The cases of all algorithms.
	 */
	public static List<GoldenVectors> all() {
		return Algorithms.ids().stream().flatMap(GoldenVectors::of).toList();
	}

	private static Stream<GoldenVectors> of(String algorithm) {
		return stream(read("/vectors/" + algorithm + ".json"))
			.map((suite) -> new GoldenVectors(suite.get("note").asString(), limit(algorithm, suite.get("params")),
					stream(suite.get("steps")).map(Step::of).toList()));
	}

	private static Limit limit(String algorithm, JsonNode params) {
		Map<String, Long> numbers = new HashMap<>();
		params.properties().forEach((entry) -> numbers.put(entry.getKey(), entry.getValue().asLong()));
		return switch (algorithm) {
			case "token-bucket" ->
				limit(algorithm, numbers.get("refill_tokens"), numbers.get("period_ms"), numbers.get("capacity"));
			case "gcra" -> limit(algorithm, numbers.get("rate"), numbers.get("period_ms"), numbers.get("burst"));
			// One request proceeds immediately. The maximum wait determines the number of
			// waiting requests.
			case "leaky-bucket" -> limit(algorithm, 1, numbers.get("interval_ms"),
					1 + numbers.get("max_wait_ms") / numbers.get("interval_ms"));
			case "fixed-window", "sliding-window", "sliding-log" ->
				limit(algorithm, numbers.get("limit"), numbers.get("window_ms"), numbers.get("limit"));
			case "concurrency" ->
				limit(algorithm, numbers.get("limit"), numbers.get("lease_ttl_ms"), numbers.get("limit"));
			default -> limit(algorithm, numbers.get("quantity"), numbers.get("period_ms"), numbers.get("burst"));
		};
	}

	private static Limit limit(String algorithm, long quantity, long periodMillis, long burst) {
		return new Limit(algorithm, quantity, Duration.ofMillis(periodMillis), burst);
	}

	public static JsonNode read(String resource) {
		try (InputStream json = GoldenVectors.class.getResourceAsStream(resource)) {
			return JsonMapper.builder().build().readTree(json);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Stream<JsonNode> stream(JsonNode array) {
		return StreamSupport.stream(array.spliterator(), false);
	}

	@Override
	public String toString() {
		return this.limit.algorithm() + ": " + this.note;
	}

	/**
	 * Return the number of instances that take part.
	 * @return the count
	 */
	public long holders() {
		return this.steps.stream().mapToLong(Step::holder).distinct().count();
	}

	/**
	 * The operation of a step.
	 */
	public enum Op {

		/** Charges a cost. */
		ACQUIRE,
		/** Returns units. */
		RELEASE,
		/** Renews units, with their number. */
		RENEW

	}

	/**
	 * One call and its result. After a release or a renewal, the result is that of a call
	 * without cost.
	 *
	 * @param holder the number of the calling instance
	 */
	public record Step(Op op, long holder, long atMillis, long cost, boolean allowed, long remaining,
			long retryAfterMillis, long resetMillis, long nextUnitMillis, long delayMillis) {

		static Step of(JsonNode node) {
			return new Step(Op.valueOf(node.path("op").asString("acquire").toUpperCase(Locale.ROOT)),
					node.path("holder").asLong(0), node.get("at_ms").asLong(), node.get("cost").asLong(),
					node.get("allowed").asBoolean(), node.get("remaining").asLong(),
					node.get("retry_after_ms").asLong(), node.get("reset_ms").asLong(),
					node.get("next_unit_ms").asLong(), node.path("delay_ms").asLong(0));
		}

		/**
		 * Return the requested cost, which is zero except for an acquisition.
		 */
		public long asked() {
			return (this.op == Op.ACQUIRE) ? this.cost : 0;
		}

	}

}
