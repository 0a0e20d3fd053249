package dev.ratelimit.live;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import dev.ratelimit.RulesChangedEvent;
import dev.ratelimit.store.Time;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Internal: follows a source of live rules. It can be stopped and restarted; the active
 * rules stay active. Thread-safe.
 */
public final class LiveRules implements AutoCloseable {

	private final RuleSource source;

	private final EffectiveRules rules;

	private final LiveThread thread;

	private final SourceState state;

	private final RuleAdoption adoption;

	private final FirstDocument first;

	private final RuleEvents events;

	private final Optional<RuleCache> cache;

	private final List<Runnable> followers = new CopyOnWriteArrayList<>();

	private final AtomicLong adoptions = new AtomicLong();

	private final AtomicLong lagMillisTotal = new AtomicLong();

	private volatile long lagMillis;

	private boolean running;

	/**
	 * Create live rules.
	 * @param source the source
	 * @param rules the effective rules
	 * @param thread the thread on which rules change
	 * @param settings the settings of the start
	 * @param events receives events when rules have changed, on a separate thread
	 * @param time the clock of the instance
	 */
	LiveRules(RuleSource source, EffectiveRules rules, LiveThread thread, LiveSettings settings,
			Consumer<RulesChangedEvent> events, Time time) {
		this.source = source;
		this.rules = rules;
		this.thread = thread;
		this.events = new RuleEvents(events, time);
		this.state = new SourceState(time);
		this.cache = settings.cacheFile().map((file) -> new RuleCache(file, source.name()));
		this.adoption = new RuleAdoption(source, rules, thread, time, this::adopted,
				() -> this.followers.forEach(Runnable::run));
		this.first = new FirstDocument(source, this.adoption, this.state, this.cache, settings, time);
	}

	/**
	 * Start to follow the source, and make the first rules active: those of the source if
	 * it responds in time. May block for a few seconds.
	 * @throws RuleSourceException if the source cannot be read, and the application must
	 * not start without it
	 */
	void begin() {
		this.first.remember();
		start();
		if (!this.first.adopt()) {
			this.rules.adoptBaseIfNone();
		}
		this.first.over();
	}

	/**
	 * Keep switches in the cache file, if there is one, and restore its switches.
	 * @param switches the switches, before they follow their store
	 */
	void keep(Switches switches) {
		this.cache.ifPresent((file) -> {
			switches.resume(file.switches());
			switches.addFollower(file::write);
		});
	}

	/** Start to follow the source. */
	synchronized void start() {
		if (!this.running) {
			this.running = true;
			this.state.restart();
			this.source.start(this::received);
		}
	}

	/** Stop to follow the source. */
	synchronized void stop() {
		if (this.running) {
			this.running = false;
			this.source.close();
			this.adoption.stop();
		}
	}

	@Override
	public void close() {
		stop();
		this.events.close();
	}

	/**
	 * Return the problem of the application's listeners of {@link RulesChangedEvent}.
	 * @return a sentence without a period; empty if there is no problem
	 */
	Optional<String> listenerTrouble() {
		return this.events.trouble();
	}

	/**
	 * Return the source.
	 * @return the source
	 */
	RuleSource source() {
		return this.source;
	}

	/**
	 * Add a follower that is called after each change of the {@link #status}.
	 * @param follower the follower, called on the thread that activates rules
	 */
	void addFollower(Runnable follower) {
		this.followers.add(follower);
	}

	/**
	 * Return the status of this instance.
	 * @return the status now
	 */
	public LiveStatus status() {
		Optional<RuleDocument> document = this.rules.document();
		Optional<RuleAdoption.Rejected> rejected = this.adoption.rejected();
		return new LiveStatus(this.source.name(), document.map(RuleDocument::version).orElse(0L), this.rules.digest(),
				this.rules.baseDigest(), rejected.map(RuleAdoption.Rejected::reason),
				rejected.map((found) -> OptionalLong.of(found.version()))
					.filter((version) -> version.getAsLong() > 0)
					.orElse(OptionalLong.empty()),
				this.rules.notApplied(),
				document.map((active) -> ChangedBase.in(active, this.rules.base().rules(), this.rules.written()))
					.orElseGet(List::of),
				this.state.ageMillis(), this.state.trouble());
	}

	/**
	 * Return a digest that shows whether instances have the same document, possibly with
	 * different versions.
	 * @return the first 12 hexadecimal digits of the digest of the active document; empty
	 * without one
	 */
	String documentDigest() {
		return this.rules.document().map((document) -> document.digest().substring(0, 12)).orElse("");
	}

	/**
	 * Return a digest that shows whether instances have the same document.
	 * @return the first 48 bits of the digest of the active document; 0 without one
	 */
	public long shortDigest() {
		return this.rules.document().map((document) -> Long.parseLong(document.digest(), 0, 12, 16)).orElse(0L);
	}

	/**
	 * Return the time since the source was last read.
	 * @return the time in milliseconds
	 */
	long sourceAgeMillis() {
		return this.state.ageMillis();
	}

	/**
	 * Return the delay with which the last version became active.
	 * @return the delay in milliseconds
	 */
	long lagMillis() {
		return this.lagMillis;
	}

	/**
	 * Return the sum of the delays with which all versions became active.
	 * @return the sum in milliseconds
	 */
	long lagMillisTotal() {
		return this.lagMillisTotal.get();
	}

	/**
	 * Return the number of versions that have become active.
	 * @return the number since the start
	 */
	long adoptions() {
		return this.adoptions.get();
	}

	/**
	 * Return the number of versions that were rejected.
	 * @return the number since the start
	 */
	long rejections() {
		return this.adoption.rejections();
	}

	private void adopted(RuleAdoption.Adopted adopted) {
		this.lagMillis = adopted.lagMillis();
		this.lagMillisTotal.addAndGet(adopted.lagMillis());
		this.adoptions.incrementAndGet();
		this.cache.ifPresent((file) -> file.write(adopted.document()));
		this.followers.forEach(Runnable::run);
		this.events.publish(new RulesChangedEvent(this.source.name(), adopted.document().version(),
				adopted.changes().stream().map(RuleChange::rule).collect(Collectors.toSet())));
	}

	// Called on the threads of the source; rules change on another thread.
	private void received(RuleSource.Reading reading) {
		if (reading instanceof RuleSource.Changed changed) {
			this.thread.run(() -> {
				this.first.offer(changed.document());
				this.state.read();
			});
		}
		else if (reading instanceof RuleSource.Invalid invalid) {
			this.thread.run(() -> {
				this.first.invalid(invalid.version(), invalid.reason());
				this.state.read();
			});
		}
		else if (reading instanceof RuleSource.Failed failed) {
			this.state.failed(failed.reason(), failed.lasting());
		}
		else if (reading instanceof RuleSource.Absent) {
			this.first.absent();
			this.rules.document()
				.ifPresentOrElse((document) -> this.state.failed("it has no document any more", true),
						this.state::read);
		}
		else {
			this.state.unchanged();
		}
	}

	/**
	 * Publishes events to the listeners of the application, one after the other, on a
	 * separate thread, so that listeners cannot delay the activation of rules. If
	 * listeners are slow and the queue is full, the oldest events are dropped.
	 * Thread-safe.
	 */
	private static final class RuleEvents implements AutoCloseable {

		private static final Log logger = LogFactory.getLog(RuleEvents.class);

		private static final int MAX_WAITING = 64;

		private static final long SLOW_MILLIS = 1000;

		private static final long IDLE_SECONDS = 10;

		private final Consumer<RulesChangedEvent> listeners;

		private final Time time;

		private final ThreadPoolExecutor thread;

		private volatile Optional<String> trouble = Optional.empty();

		/** The time of the current call of the listeners; empty if they have returned. */
		private volatile Optional<Long> calledNanos = Optional.empty();

		/**
		 * Create the sender of events.
		 * @param listeners calls the listeners
		 * @param time the clock of the instance
		 */
		RuleEvents(Consumer<RulesChangedEvent> listeners, Time time) {
			this.listeners = listeners;
			this.time = time;
			this.thread = new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS,
					new LinkedBlockingQueue<>(MAX_WAITING), RuleEvents::thread,
					new ThreadPoolExecutor.DiscardOldestPolicy());
			this.thread.allowCoreThreadTimeOut(true);
		}

		private static Thread thread(Runnable task) {
			Thread thread = new Thread(task, "ratelimit-events");
			thread.setDaemon(true);
			return thread;
		}

		void publish(RulesChangedEvent event) {
			this.thread.execute(() -> call(event));
		}

		private void call(RulesChangedEvent event) {
			long called = this.time.nanos();
			this.calledNanos = Optional.of(called);
			try {
				this.listeners.accept(event);
				this.trouble = slow(called).map((seconds) -> "A listener took " + seconds + " s");
			}
			catch (RuntimeException | Error ex) {
				logger.error("A listener of RulesChangedEvent failed; the rules are active all the same", ex);
				this.trouble = Optional.of("A listener failed: " + ex);
			}
			finally {
				this.calledNanos = Optional.empty();
			}
		}

		private Optional<Long> slow(long called) {
			long millis = TimeUnit.NANOSECONDS.toMillis(this.time.nanos() - called);
			return (millis >= SLOW_MILLIS) ? Optional.of(TimeUnit.MILLISECONDS.toSeconds(millis)) : Optional.empty();
		}

		/**
		 * Return the problem of the listeners of the application.
		 * @return a sentence without a period; empty if the last event was handled in
		 * time
		 */
		Optional<String> trouble() {
			return this.calledNanos.flatMap(this::slow)
				.map((seconds) -> "A listener has not returned for " + seconds + " s")
				.or(() -> this.trouble);
		}

		@Override
		public void close() {
			this.thread.shutdownNow();
		}

	}

}
