package dev.ratelimit.test;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import dev.ratelimit.Limit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The golden cases of one algorithm: what it answers, step by step, at given times.
 *
 * @param note what the case is about
 * @param limit the limit
 * @param steps the calls and their answers, in order
 */
public record GoldenVectors(String note, Limit limit, List<Step> steps) {

	public static List<GoldenVectors> tokenBucket() {
		return stream(read("/vectors/token-bucket.json")).map((suite) -> {
			JsonNode params = suite.get("params");
			Limit limit = new Limit("token-bucket", params.get("refill_tokens").asLong(),
					Duration.ofMillis(params.get("period_ms").asLong()), params.get("capacity").asLong());
			return new GoldenVectors(suite.get("note").asString(), limit,
					stream(suite.get("steps")).map(Step::of).toList());
		}).toList();
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
		return this.note;
	}

	/**
	 * One call and its answer.
	 */
	public record Step(long atMillis, long cost, boolean allowed, long remaining, long retryAfterMillis,
			long resetMillis, long nextUnitMillis) {

		static Step of(JsonNode node) {
			return new Step(node.get("at_ms").asLong(), node.get("cost").asLong(), node.get("allowed").asBoolean(),
					node.get("remaining").asLong(), node.get("retry_after_ms").asLong(), node.get("reset_ms").asLong(),
					node.get("next_unit_ms").asLong());
		}

	}

}
