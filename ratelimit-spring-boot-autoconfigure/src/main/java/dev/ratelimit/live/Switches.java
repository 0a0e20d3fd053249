package dev.ratelimit.live;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.RuleMode;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleModes;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Internal: applies switches to the active rules: those of the store, which all instances
 * share, and those of only this instance. Switches end by the clock of the store, also
 * while the store is unavailable. Thread-safe.
 */
public final class Switches implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(Switches.class);

	private final SwitchStore store;

	private final boolean shared;

	private final Editions editions;

	private final LiveThread thread;

	private final Map<Optional<String>, RuleSwitch> own = new LinkedHashMap<>();

	private final List<Consumer<List<ActiveSwitch>>> followers = new CopyOnWriteArrayList<>();

	private List<RuleSwitch> ofAll = List.of();

	private volatile List<ActiveSwitch> active = List.of();

	private @Nullable Future<?> nextEnd;

	private boolean running;

	/**
	 * Create an object without switches.
	 * @param store the store of the switches of all instances
	 * @param shared whether the store notifies other instances
	 * @param editions the editions of the rules
	 * @param thread the thread on which switches end
	 */
	public Switches(SwitchStore store, boolean shared, Editions editions, LiveThread thread) {
		this.store = store;
		this.shared = shared;
		this.editions = editions;
		this.thread = thread;
	}

	/** Start to follow the store. */
	public synchronized void start() {
		if (!this.running) {
			this.running = true;
			this.store.start(this.ofAll, (switches) -> this.thread.run(() -> follow(switches)));
			// Schedules the next end of a switch again, because the thread may have been
			// closed meanwhile.
			apply();
		}
	}

	/** Stop to follow the store. Active switches stay active until they end. */
	synchronized void stop() {
		if (this.running) {
			this.running = false;
			this.store.close();
		}
	}

	@Override
	public void close() {
		stop();
	}

	/**
	 * Restore the switches that this instance had before a restart, until the store
	 * responds.
	 * @param switches the switches; those that have ended have no effect
	 */
	synchronized void resume(List<ActiveSwitch> switches) {
		switches.stream()
			.filter((one) -> one.instanceOnly() || !this.shared)
			.forEach((one) -> this.own.put(one.change().rule(), one.change()));
		this.ofAll = switches.stream()
			.filter((one) -> !one.instanceOnly() && this.shared)
			.map(ActiveSwitch::change)
			.toList();
		apply();
	}

	private synchronized void follow(List<RuleSwitch> switches) {
		this.ofAll = List.copyOf(switches);
		apply();
	}

	/**
	 * Set a switch for all instances, or for this instance if the store is not shared.
	 * @param request the switch
	 * @return the switch
	 * @throws RuleSourceException if the other instances cannot be notified
	 */
	public RuleSwitch set(SwitchRequest request) {
		requireKnown(request.rule());
		if (request.instanceOnly() || !this.shared) {
			return setHere(request);
		}
		RuleSwitch set = this.store.set(request.rule(), request.mode(), request.duration(), request.user(),
				request.note());
		// The switch becomes active immediately on this instance. If the store has
		// responded, its switches take precedence, because another instance may have
		// ended the switch already.
		synchronized (this) {
			this.ofAll = Stream
				.concat(this.ofAll.stream().filter((other) -> !other.rule().equals(set.rule())), Stream.of(set))
				.toList();
			apply();
		}
		return set;
	}

	private void requireKnown(Optional<String> rule) {
		rule.ifPresent((id) -> {
			CompiledRule compiled = this.editions.current().required(id);
			if (compiled.rule().locked()) {
				throw new IllegalArgumentException("rule '" + id + "' is locked by the application");
			}
		});
	}

	private synchronized RuleSwitch setHere(SwitchRequest request) {
		RuleSwitch set = new RuleSwitch(request.rule(), request.mode(),
				this.store.nowMillis() + request.duration().toMillis(), request.user(), request.note());
		this.own.put(set.rule(), set);
		apply();
		return set;
	}

	/**
	 * End the switches of a rule: that of all instances, and that of only this instance.
	 * @param rule the rule; empty for the switches of all rules
	 * @param instanceOnly whether to end only the switch of this instance
	 * @return whether there was a switch
	 * @throws RuleSourceException if the other instances cannot be notified
	 */
	public boolean end(Optional<String> rule, boolean instanceOnly) {
		return end(rule, !instanceOnly, true);
	}

	/**
	 * End the switch of all instances, and keep that of only this instance.
	 * @param rule the rule; empty for the switch of all rules
	 * @return whether there was a switch
	 * @throws RuleSourceException if the other instances cannot be notified
	 */
	boolean endOfAll(Optional<String> rule) {
		// If the store is not shared, all switches are those of this instance.
		return end(rule, true, !this.shared);
	}

	private boolean end(Optional<String> rule, boolean ofAllInstances, boolean ofThisInstance) {
		boolean ended = this.shared && ofAllInstances && this.store.end(rule);
		synchronized (this) {
			boolean here = ofThisInstance && this.own.remove(rule) != null;
			if (ended) {
				this.ofAll = this.ofAll.stream().filter((other) -> !other.rule().equals(rule)).toList();
			}
			apply();
			return ended || here;
		}
	}

	private synchronized void apply() {
		long now = this.store.nowMillis();
		this.ofAll = this.store.current().orElse(this.ofAll);
		this.own.values().removeIf((change) -> change.untilMillis() <= now);
		List<ActiveSwitch> next = new ArrayList<>();
		this.ofAll.stream()
			.filter((change) -> change.untilMillis() > now)
			.forEach((change) -> next.add(new ActiveSwitch(change, !this.shared)));
		this.own.values().forEach((change) -> next.add(new ActiveSwitch(change, true)));
		if (!next.equals(this.active)) {
			this.editions.adopt(new SwitchModes(next.stream().map(ActiveSwitch::change).toList()));
			logChanges(this.active, next);
			this.active = List.copyOf(next);
			this.followers.forEach((follower) -> follower.accept(next));
		}
		scheduleEnd(now, next);
	}

	private void scheduleEnd(long now, List<ActiveSwitch> switches) {
		Future<?> scheduled = this.nextEnd;
		if (scheduled != null) {
			scheduled.cancel(false);
		}
		this.nextEnd = switches.stream()
			.map((one) -> one.change().untilMillis())
			.min(Long::compare)
			.map((end) -> this.thread.later(Duration.ofMillis(Math.max(1, end - now)), this::apply))
			.orElse(null);
	}

	private static void logChanges(List<ActiveSwitch> before, List<ActiveSwitch> next) {
		next.stream().filter((one) -> !before.contains(one)).forEach((one) -> logger.warn(SwitchText.on(one)));
		before.stream().filter((one) -> !next.contains(one)).forEach((one) -> logger.info(SwitchText.off(one)));
	}

	/**
	 * Return the active switches.
	 * @return the switches
	 */
	public List<ActiveSwitch> active() {
		return this.active;
	}

	/**
	 * The time by the clock that ends switches.
	 * @return milliseconds since the epoch
	 */
	public long nowMillis() {
		return this.store.nowMillis();
	}

	/**
	 * Whether switches reach other instances.
	 * @return whether the store is shared
	 */
	boolean shared() {
		return this.shared;
	}

	/**
	 * Notify a follower whenever switches change.
	 * @param follower receives all active switches
	 */
	void addFollower(Consumer<List<ActiveSwitch>> follower) {
		this.followers.add(follower);
		follower.accept(this.active);
	}

	/**
	 * The modes of rules under switches: the least strict of the configured mode and the
	 * modes of all switches that apply. Immutable.
	 *
	 * @param switches the switches
	 */
	private record SwitchModes(List<RuleSwitch> switches) implements RuleModes {

		SwitchModes {
			switches = List.copyOf(switches);
		}

		@Override
		public RuleMode of(Rule rule) {
			RuleMode mode = rule.reaction().mode();
			if (rule.locked()) {
				return mode;
			}
			for (RuleSwitch change : this.switches) {
				if (concerns(change, rule) && isLaxer(change.mode(), mode)) {
					mode = change.mode();
				}
			}
			return mode;
		}

		private static boolean concerns(RuleSwitch change, Rule rule) {
			return change.rule().map(rule.id()::equals).orElse(rule.reaction().failure() != FailurePolicy.CLOSED);
		}

		private static boolean isLaxer(RuleMode mode, RuleMode than) {
			return strictness(mode) < strictness(than);
		}

		private static int strictness(RuleMode mode) {
			return switch (mode) {
				case OFF -> 0;
				case SHADOW -> 1;
				case ENFORCE -> 2;
			};
		}

	}

}
