package dev.ratelimit.live.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import dev.ratelimit.live.InstanceBoard;
import dev.ratelimit.live.InstanceState;
import dev.ratelimit.live.Json;
import dev.ratelimit.live.RuleSourceException;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.Upkeep;
import dev.ratelimit.store.redis.SharedKeys;
import dev.ratelimit.store.redis.SharedScript;
import dev.ratelimit.store.redis.SharedSession;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Internal: the reports of all instances about the rules that they apply, in Redis.
 */
public final class RedisInstanceBoard implements InstanceBoard {

	private static final Log logger = LogFactory.getLog(RedisInstanceBoard.class);

	private static final Duration HEARTBEAT_INTERVAL = Duration.ofSeconds(5);

	/**
	 * The time without a report after which an instance counts as ended; it may miss two
	 * reports.
	 */
	private static final Duration FORGOTTEN = HEARTBEAT_INTERVAL.multipliedBy(3);

	private static final Duration TIMEOUT = Duration.ofMillis(200);

	private final SharedKeys keys;

	private final SharedScript reportScript;

	private final LiveClock clock;

	private final Upkeep upkeep;

	private final AtomicReference<Optional<Beats>> beats = new AtomicReference<>(Optional.empty());

	RedisInstanceBoard(SharedKeys keys, LiveClock clock, Upkeep upkeep) {
		this.keys = keys;
		this.reportScript = keys.script(List.of("fleet-about"), LiveNames.ABOUT);
		this.clock = clock;
		this.upkeep = upkeep;
	}

	@Override
	public void start(Supplier<InstanceState> state) {
		close();
		this.beats.set(Optional.of(new Beats(state, this.upkeep.start(Duration.ZERO, HEARTBEAT_INTERVAL,
				"Failed to report the rules of this instance", this::report))));
	}

	@Override
	public void report() {
		this.beats.get().map((running) -> running.state().get()).ifPresent((state) -> {
			long sentNanos = this.clock.nanos();
			this.reportScript.run(state.id(), text(state), Long.toString(FORGOTTEN.toMillis()))
				.whenComplete((reply, failure) -> {
					if (failure != null) {
						logger.debug("Failed to report the rules of this instance", failure);
					}
					else {
						this.clock.saw(reply[0], sentNanos);
					}
				});
		});
	}

	@Override
	public List<Seen> instances() {
		try (SharedSession session = this.keys.open()) {
			return seen(session.hash(LiveNames.ABOUT));
		}
		catch (StoreException ex) {
			throw new RuleSourceException(LiveFailures.reason(ex), ex);
		}
		catch (IllegalArgumentException ex) {
			throw new RuleSourceException("the content of Redis cannot be read: " + ex.getMessage(), ex);
		}
	}

	private List<Seen> seen(Map<String, String> texts) {
		List<Seen> seen = new ArrayList<>();
		texts.forEach((id, text) -> {
			Stamped stamped = Stamped.of(text);
			long millisAgo = Math.max(0, this.clock.nowMillis() - stamped.atMillis());
			if (millisAgo <= FORGOTTEN.toMillis()) {
				seen.add(new Seen(state(id, Json.readObject(stamped.text())), millisAgo));
			}
		});
		return List.copyOf(seen);
	}

	private static String text(InstanceState state) {
		Map<String, Object> parts = new LinkedHashMap<>();
		parts.put("host", state.host());
		parts.put("version", state.version());
		parts.put("digest", state.digest());
		parts.put("base", state.base());
		parts.put("document", state.document());
		parts.put("lag", state.lagMillis());
		state.rejected().ifPresent((reason) -> parts.put("rejected", reason));
		parts.put("notApplied", state.notApplied());
		return Json.write(parts);
	}

	private static InstanceState state(String id, Map<String, Object> parts) {
		List<?> notApplied = (parts.get("notApplied") instanceof List<?> list) ? list : List.of();
		return new InstanceState(id, part(parts, "host"), number(parts, "version"), part(parts, "digest"),
				part(parts, "base"), part(parts, "document"), number(parts, "lag"),
				Optional.ofNullable(parts.get("rejected")).map(Object::toString),
				notApplied.stream().map(Object::toString).toList());
	}

	private static String part(Map<String, Object> parts, String name) {
		return parts.getOrDefault(name, "").toString();
	}

	private static long number(Map<String, Object> parts, String name) {
		return Long.parseLong(parts.getOrDefault(name, 0).toString());
	}

	@Override
	public void close() {
		this.beats.getAndSet(Optional.empty()).ifPresent((running) -> {
			running.task().close();
			leave(running.state().get().id());
		});
	}

	private void leave(String id) {
		try {
			this.reportScript.await(TIMEOUT, id, "", Long.toString(FORGOTTEN.toMillis()));
		}
		catch (StoreException ex) {
			logger.debug("Failed to sign off this instance; its entry expires later", ex);
		}
	}

	private record Beats(Supplier<InstanceState> state, Upkeep.Task task) {
	}

}
