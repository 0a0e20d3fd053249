package dev.ratelimit.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.store.Activation;
import dev.ratelimit.store.Time;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Internal: the active edition of the rules, and how the next one takes its place. First,
 * all checks and all parts see the next rules, and any of them may reject the rules by an
 * exception: nothing has changed by then. Then one assignment makes the edition active,
 * and listeners follow. Thread-safe.
 */
public final class Editions {

	private static final Log logger = LogFactory.getLog(Editions.class);

	private final List<Consumer<RuleSet>> checks = new ArrayList<>();

	private final List<EditionPart<?>> parts = new ArrayList<>();

	private final List<Consumer<Edition>> listeners = new ArrayList<>();

	private final Time time;

	private volatile Edition current = Edition.NONE;

	/** Editions whose activation is told by the system's clock. */
	public Editions() {
		this(Time.SYSTEM);
	}

	/**
	 * Editions.
	 * @param time the clock that the store reads, too
	 */
	public Editions(Time time) {
		this.time = time;
		this.listeners.add(PrecisionNotes::log);
	}

	/**
	 * The active edition.
	 * @return the edition; changes at any time
	 */
	public Edition current() {
		return this.current;
	}

	/**
	 * Add a check that every set passes before it becomes active.
	 * @param check throws {@link dev.ratelimit.rule.InvalidRuleException} to reject a set
	 */
	public synchronized void addCheck(Consumer<RuleSet> check) {
		this.checks.add(check);
	}

	/**
	 * Add a part to all editions to come, and to the active one.
	 * @param <T> what is compiled
	 * @param none what editions without the part have
	 * @param compiler compiles the part
	 * @return finds the part in an edition
	 */
	public synchronized <T> EditionPart<T> addPart(T none, EditionPart.Compiler<T> compiler) {
		EditionPart<T> part = new EditionPart<>(this.parts.size(), none, compiler);
		this.parts.add(part);
		if (this.current != Edition.NONE) {
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
	 * Make other rules active.
	 * @param rules all rules
	 * @throws dev.ratelimit.rule.InvalidRuleException if the rules cannot be used; those
	 * before stay active
	 */
	public synchronized void adopt(Collection<Rule> rules) {
		RuleSet next = this.current.rules().next(rules);
		this.checks.forEach((check) -> check.accept(next));
		Activation activation = new Activation();
		Edition edition = withParts(next, compile(next, activation));
		activation.happens(this.time.nanos());
		this.current = edition;
		this.listeners.forEach((listener) -> tell(listener, edition));
	}

	private Map<String, CompiledRule> compile(RuleSet next, Activation activation) {
		Map<String, CompiledRule> compiled = new TreeMap<>();
		next.rules()
			.forEach((id, rule) -> compiled.put(id, compile(rule, this.current.compiled().get(id), activation)));
		return Map.copyOf(compiled);
	}

	private static CompiledRule compile(Rule rule, @Nullable CompiledRule before, Activation activation) {
		if (before == null) {
			return CompiledRule.of(rule);
		}
		return (before.rule().equals(rule)) ? before : CompiledRule.of(rule).inPlaceOf(before, activation);
	}

	private Edition withParts(RuleSet rules, Map<String, CompiledRule> compiled) {
		Object[] made = new Object[this.parts.size()];
		Edition draft = new Edition(rules, compiled, made);
		for (int i = 0; i < made.length; i++) {
			made[i] = this.parts.get(i).compile(draft, this.current);
		}
		return draft;
	}

	// The rules are active, whatever a listener makes of it.
	private static void tell(Consumer<Edition> listener, Edition edition) {
		try {
			listener.accept(edition);
		}
		catch (RuntimeException ex) {
			logger.error("A listener failed to apply the active rules", ex);
		}
	}

}
