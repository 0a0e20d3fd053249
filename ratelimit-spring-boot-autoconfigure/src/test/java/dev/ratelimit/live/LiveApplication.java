package dev.ratelimit.live;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import dev.ratelimit.RulesChangedEvent;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.LimitDefinition;
import dev.ratelimit.rule.LimitSetDefinition;
import dev.ratelimit.rule.Origin;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleDefinition;
import dev.ratelimit.rule.RuleLayer;
import dev.ratelimit.rule.RuleLayers;
import dev.ratelimit.rule.RuleOptions;
import dev.ratelimit.rule.RuleSetChecks;
import dev.ratelimit.rule.WrittenRule;

/**
 * The components of an application with live rules, without Spring. Its rules support
 * only limits, paths, and algorithms.
 */
public final class LiveApplication implements AutoCloseable {

	final Editions editions = new Editions();

	final RuleWarnings warnings = new RuleWarnings((warning) -> {
	});

	public final EffectiveRules rules = new EffectiveRules(this.editions, LiveApplication::read, this.warnings);

	final LiveThread thread = new LiveThread();

	final List<RulesChangedEvent> events = new CopyOnWriteArrayList<>();

	/** The reaction of a listener of the application to an event. */
	Consumer<RulesChangedEvent> listener = this.events::add;

	/** The time by which the clock of the live rules is ahead. */
	volatile long laterNanos;

	private final List<AutoCloseable> closed = new ArrayList<>(List.of(this.thread));

	public LiveApplication(String... idsAndLimits) {
		this.editions.addCheck((set) -> RuleSetChecks.check(set, true, this.warnings::add));
		this.rules.begin(layers(idsAndLimits));
	}

	static RuleLayers layers(String... idsAndLimits) {
		Map<String, WrittenRule> written = new TreeMap<>();
		for (int i = 0; i < idsAndLimits.length; i += 2) {
			written.put(idsAndLimits[i], new WrittenRule("ratelimit.rules." + idsAndLimits[i],
					definition(Map.of("limit", idsAndLimits[i + 1], "paths", "/" + idsAndLimits[i]))));
		}
		return new RuleLayers(RuleDefinition.EMPTY, List.of(new RuleLayer(Origin.Kind.PROPERTY, written)));
	}

	private static RuleDefinition read(String location, Map<String, Object> entry) {
		entry.keySet().forEach((property) -> {
			if (!List.of("limit", "paths", "algorithm").contains(property)) {
				throw new InvalidRuleException(location + "." + property, "", "this property does not exist",
						"Fix it.");
			}
		});
		return definition(entry);
	}

	private static RuleDefinition definition(Map<String, Object> entry) {
		List<LimitDefinition> limits = Optional.ofNullable(entry.get("limit"))
			.map((limit) -> List.of(LimitDefinition.of(String.valueOf(limit))))
			.orElse(List.of());
		Rule.Match match = new Rule.Match(
				Optional.ofNullable(entry.get("paths")).map((path) -> List.of(String.valueOf(path))).orElse(List.of()),
				List.of(), List.of());
		return new RuleDefinition(match, List.of(), new LimitSetDefinition(limits, OptionalLong.empty(),
				Optional.ofNullable(entry.get("algorithm")).map(String::valueOf)), Map.of(), RuleOptions.EMPTY);
	}

	public LiveRules follow(RuleSource source) {
		return follow(source, new LiveSettings(LiveSettings.OnMissing.BASE, Optional.empty(), Duration.ofMinutes(1)));
	}

	public LiveRules follow(RuleSource source, LiveSettings settings) {
		LiveRules live = new LiveRules(source, this.rules, this.thread, settings,
				(event) -> this.listener.accept(event), () -> System.nanoTime() + this.laterNanos);
		this.closed.add(0, live);
		live.begin();
		return live;
	}

	public String limit(String rule) {
		return Optional.ofNullable(this.editions.current().rules().rules().get(rule))
			.map((found) -> found.limits().get(0).toString())
			.orElse("none");
	}

	/** Wait until all published documents are processed. */
	public void settle() throws Exception {
		this.thread.later(Duration.ZERO, () -> {
		}).get();
	}

	@Override
	public void close() {
		for (AutoCloseable one : this.closed) {
			try {
				one.close();
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}
	}

}
