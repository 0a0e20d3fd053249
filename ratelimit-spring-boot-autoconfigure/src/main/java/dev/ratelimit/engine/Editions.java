package dev.ratelimit.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.ratelimit.Outcome;
import dev.ratelimit.RuleMode;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleModes;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.store.Activation;
import dev.ratelimit.store.Time;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Internal: the active edition of the rules, and its replacement. First, all checks and
 * parts process the next rules. Each of them may reject the rules by an exception,
 * without other effects. Then one assignment makes the edition active, and the listeners
 * are notified. Thread-safe.
 */
public final class Editions {

	private static final Log logger = LogFactory.getLog(Editions.class);

	private final List<Consumer<RuleSet>> checks = new ArrayList<>();

	private final List<EditionPart<?>> parts = new ArrayList<>();

	private final List<Consumer<Edition>> listeners = new ArrayList<>();

	private final Time time;

	private volatile SanctionKeeper sanctions = SanctionKeeper.NONE;

	private RuleModes modes = RuleModes.WRITTEN;

	private volatile Edition current;

	private boolean loaded;

	/** Create editions that use the system's clock. */
	public Editions() {
		this(Time.SYSTEM);
	}

	/**
	 * Create editions.
	 * @param time the clock that the store also reads
	 */
	public Editions(Time time) {
		this(time, RegionTerms.NONE);
	}

	/**
	 * Create editions in one of several regions.
	 * @param time the clock that the store also reads
	 * @param regions the meaning of limits in the region
	 */
	public Editions(Time time, RegionTerms regions) {
		this.time = time;
		this.current = (regions.equals(RegionTerms.NONE)) ? Edition.NONE : Edition.none(regions);
		this.listeners.add(PrecisionNotes::log);
	}

	boolean hasSanctions() {
		return this.sanctions.any();
	}

	/**
	 * The subjects that are banned, marked, or paused, under any edition.
	 * @return the keeper of sanctions
	 */
	public SanctionKeeper sanctions() {
		return this.sanctions;
	}

	/**
	 * Apply sanctions to all decisions from now on.
	 * @param keeper the keeper of sanctions
	 */
	public void keepSanctions(SanctionKeeper keeper) {
		this.sanctions = keeper;
	}

	/**
	 * Return the outcome of a request under a ban, a mark, or a pause.
	 * @param rule the rule, in the mode for the subject
	 * @param subject the subject of the request
	 * @return the outcome; empty if the rule's limits determine it
	 */
	public Optional<Outcome> sanctioned(CompiledRule rule, String subject) {
		Sanction sanction = (rule.policy().shadow()) ? null : this.sanctions.find(rule.rule().id(), subject);
		return Optional.ofNullable(sanction).map(Sanction::outcome);
	}

	/**
	 * The clock that the store also reads.
	 * @return the clock
	 */
	public Time time() {
		return this.time;
	}

	/**
	 * The active edition.
	 * @return the edition; changes at any time
	 */
	public Edition current() {
		return this.current;
	}

	/**
	 * Add a check of every set before it becomes active.
	 * @param check throws {@link dev.ratelimit.rule.InvalidRuleException} to reject a set
	 */
	public synchronized void addCheck(Consumer<RuleSet> check) {
		this.checks.add(check);
	}

	/**
	 * Add a part to all later editions, and to the active one.
	 * @param <T> the type of the part
	 * @param none the value for editions without the part
	 * @param compiler compiles the part
	 * @return an object that finds the part in an edition
	 */
	public synchronized <T> EditionPart<T> addPart(T none, EditionPart.Compiler<T> compiler) {
		EditionPart<T> part = new EditionPart<>(this.parts.size(), none, compiler);
		this.parts.add(part);
		if (this.loaded) {
			this.current = withParts(this.current.rules(), this.current.compiled());
		}
		return part;
	}

	/**
	 * Call a listener with the active edition now, and with every edition once it is
	 * active.
	 * @param listener the listener
	 */
	public synchronized void addListener(Consumer<Edition> listener) {
		this.listeners.add(listener);
		listener.accept(this.current);
	}

	/**
	 * Make other rules active, as the version after the active one.
	 * @param rules all rules
	 * @throws dev.ratelimit.rule.InvalidRuleException if the rules are invalid; the
	 * previous rules stay active
	 */
	public synchronized void adopt(Collection<Rule> rules) {
		adopt(this.current.rules().next(rules));
	}

	/**
	 * Make another set active.
	 * @param next the set, in its written modes
	 * @throws dev.ratelimit.rule.InvalidRuleException if the rules are invalid; the
	 * previous rules stay active
	 */
	public synchronized void adopt(RuleSet next) {
		commit(prepare(next, FormerRules.NONE));
	}

	/**
	 * Change the modes of the active rules and of all later sets. Does not compile rules.
	 * @param next the modes
	 */
	public synchronized void adopt(RuleModes next) {
		RuleModes before = this.modes;
		this.modes = next;
		try {
			RuleSet rules = this.current.in(next);
			commit(new PreparedEdition(this.current, withParts(rules, this.current.next(rules, new Activation())),
					new Activation()));
		}
		catch (RuntimeException ex) {
			this.modes = before;
			throw ex;
		}
	}

	/**
	 * Prepare a set, so that it can become active. Does not change the active rules.
	 * @param next the set, in its written modes
	 * @param former the active rules of other instances since the active edition; the set
	 * also takes over their usage
	 * @return the edition, ready to become active at any time
	 * @throws dev.ratelimit.rule.InvalidRuleException if the rules are invalid
	 */
	public synchronized PreparedEdition prepare(RuleSet next, FormerRules former) {
		this.checks.forEach((check) -> check.accept(next));
		Activation activation = new Activation();
		RuleSet rules = next.in(this.modes);
		Edition base = this.current.after(former);
		if (rules != next) {
			requireUsable(next, base.next(next, new Activation()));
		}
		return new PreparedEdition(this.current, withParts(rules, base.next(rules, activation)), activation,
				former.sinceNanos());
	}

	// Parts omit rules that a switch disables. Such rules must be valid nevertheless,
	// because the switch ends, and other instances may not have it.
	private void requireUsable(RuleSet written, Map<String, CompiledRule> compiled) {
		withParts(written, compiled);
	}

	/**
	 * Prepare editions that never become active, so that the first change is as fast as
	 * later ones.
	 * @param made creates the active rules again, as every change does
	 */
	public void warmUp(Supplier<Collection<Rule>> made) {
		EditionWarmUp.ofChanges(this.time).run(() -> rehearseChange(current().rules().next(made.get())));
		EditionWarmUp.ofSwitches(this.time).run(this::rehearseSwitch);
	}

	private synchronized void rehearseChange(RuleSet rules) {
		prepare(rules, FormerRules.NONE);
		withParts(rules, Edition.none(this.current.regions()).next(rules, new Activation()));
	}

	private synchronized void rehearseSwitch() {
		RuleSet switched = this.current.in((rule) -> RuleMode.SHADOW);
		withParts(switched, this.current.next(switched, new Activation()));
	}

	/**
	 * Make a prepared edition active.
	 * @param prepared the edition
	 * @return false if another edition has become active since the preparation; then
	 * nothing has changed, and its {@linkplain PreparedEdition#rules() rules} must be
	 * prepared again
	 */
	public synchronized boolean commit(PreparedEdition prepared) {
		if (prepared.base() != this.current) {
			return false;
		}
		prepared.activate(this.time.nanos());
		this.current = prepared.edition();
		this.loaded = true;
		this.listeners.forEach((listener) -> notifyListener(listener, prepared.edition()));
		return true;
	}

	/**
	 * Compile a set in addition to the active edition, which stays active.
	 * @param next the set, in its written modes
	 * @param prefix the prefix of the scopes of the buckets of rules that differ from the
	 * active ones
	 * @return both editions
	 * @throws dev.ratelimit.rule.InvalidRuleException if the rules are invalid
	 */
	public synchronized EditionBeside beside(RuleSet next, String prefix) {
		this.checks.forEach((check) -> check.accept(next));
		RuleSet rules = next.in(this.modes);
		if (rules != next) {
			requireUsable(next, this.current.next(next, new Activation()));
		}
		return new EditionBeside(this.current, withParts(rules, this.current.beside(next, rules, prefix)));
	}

	private Edition withParts(RuleSet rules, Map<String, CompiledRule> compiled) {
		Object[] made = new Object[this.parts.size()];
		Edition draft = new Edition(rules, compiled, made, this.current.regions());
		for (int i = 0; i < made.length; i++) {
			made[i] = this.parts.get(i).compile(draft, this.current);
		}
		return draft;
	}

	// The failure of a listener does not affect the active rules.
	private static void notifyListener(Consumer<Edition> listener, Edition edition) {
		try {
			listener.accept(edition);
		}
		catch (RuntimeException ex) {
			logger.error("A listener failed to apply the active rules", ex);
		}
	}

	/**
	 * Logs the rates of an edition that are rounded down slightly.
	 */
	private static final class PrecisionNotes {

		private static final Log logger = LogFactory.getLog(PrecisionNotes.class);

		private PrecisionNotes() {
		}

		static void log(Edition edition) {
			edition.compiled()
				.values()
				.stream()
				.flatMap((rule) -> rule.families().stream())
				.forEach((family) -> family.calculator()
					.precisionNote()
					.ifPresent((note) -> logger.info("Rule '" + family.policy().ruleId() + "': " + note)));
		}

	}

	/**
	 * Repeats a change of the rules until it is fast. In a new process, a change takes
	 * ten times as long, because classes are loaded and code is interpreted.
	 *
	 * @param time the clock
	 * @param fastNanos the target duration of a change
	 */
	private record EditionWarmUp(Time time, long fastNanos) {

		/** The maximum duration of the warm-up, for slow or busy machines. */
		private static final long MAX_NANOS = Duration.ofSeconds(1).toNanos();

		private static final int MIN_ROUNDS = 3;

		private static final int MAX_ROUNDS = 20;

		/**
		 * Create a warm-up of changes of all rules.
		 * @param time the clock
		 * @return the warm-up, which ends when 1,000 rules change in 30 ms
		 */
		static EditionWarmUp ofChanges(Time time) {
			return new EditionWarmUp(time, Duration.ofMillis(30).toNanos());
		}

		/**
		 * Create a warm-up of switches of all rules, which are used during incidents.
		 * @param time the clock
		 * @return the warm-up, which ends when 1,000 rules switch in 5 ms
		 */
		static EditionWarmUp ofSwitches(Time time) {
			return new EditionWarmUp(time, Duration.ofMillis(5).toNanos());
		}

		void run(Runnable change) {
			long startNanos = this.time.nanos();
			for (int round = 1; round <= MAX_ROUNDS; round++) {
				long beganNanos = this.time.nanos();
				change.run();
				long endNanos = this.time.nanos();
				boolean fast = endNanos - beganNanos <= this.fastNanos;
				if (round >= MIN_ROUNDS && (fast || endNanos - startNanos >= MAX_NANOS)) {
					return;
				}
			}
		}

	}

}
