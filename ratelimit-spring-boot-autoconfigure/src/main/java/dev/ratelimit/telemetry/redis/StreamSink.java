package dev.ratelimit.telemetry.redis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import dev.ratelimit.DecisionEventSink;
import dev.ratelimit.RateLimitDecisionEvent;
import dev.ratelimit.store.redis.SharedKeys;
import dev.ratelimit.store.redis.SharedScript;
import dev.ratelimit.store.redis.SharedSession;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.json.JsonWriter;

/**
 * Adds each batch of events to a stream. It uses a separate connection, because long
 * texts would delay decisions. Events of failed calls are dropped. The pump calls it on
 * one thread.
 */
final class StreamSink implements DecisionEventSink, AutoCloseable {

	private static final String STREAM = "stream";

	private static final JsonWriter<Map<String, Object>> JSON = JsonWriter.standard();

	private final SharedKeys keys;

	private final SharedScript script;

	private final String maxLength;

	/** Null while there is no connection. */
	private @Nullable SharedSession session;

	/**
	 * Create a sink.
	 * @param keys the keys, including that of the stream
	 * @param maxLength the approximate maximum number of events in the stream
	 */
	StreamSink(SharedKeys keys, long maxLength) {
		this.keys = keys;
		this.script = keys.script(List.of("events-add"), STREAM);
		this.maxLength = Long.toString(maxLength);
	}

	@Override
	public synchronized void accept(List<RateLimitDecisionEvent> events) {
		List<String> arguments = new ArrayList<>(events.size() + 2);
		arguments.add(this.maxLength);
		arguments.add(Integer.toString(events.size()));
		events.forEach((event) -> arguments.add(JSON.writeToString(json(event))));
		SharedSession open = this.session;
		try {
			if (open == null) {
				open = this.keys.open();
				this.session = open;
			}
			open.run(this.script, arguments);
		}
		catch (RuntimeException ex) {
			close();
			throw ex;
		}
	}

	private static Map<String, Object> json(RateLimitDecisionEvent event) {
		Map<String, Object> json = new LinkedHashMap<>();
		json.put("at", event.at().toString());
		json.put("instance", event.instance());
		json.put("version", event.version());
		json.put("allowed", event.allowed());
		json.put("reason", event.reason().tag());
		json.put("source", event.source().name().toLowerCase(Locale.ROOT));
		json.put("tookNanos", event.tookNanos());
		json.put("weight", event.weight());
		json.put("parts", event.parts().stream().map(StreamSink::json).toList());
		return json;
	}

	private static Map<String, Object> json(RateLimitDecisionEvent.Part part) {
		Map<String, Object> json = new LinkedHashMap<>();
		json.put("rule", part.rule());
		part.subject().ifPresent((subject) -> json.put("subject", subject));
		part.plan().ifPresent((plan) -> json.put("plan", plan));
		json.put("cost", part.cost());
		json.put("outcome", part.outcome().tag());
		part.remaining().ifPresent((remaining) -> json.put("remaining", remaining));
		return json;
	}

	@Override
	public synchronized void close() {
		SharedSession open = this.session;
		this.session = null;
		if (open != null) {
			open.close();
		}
	}

}
