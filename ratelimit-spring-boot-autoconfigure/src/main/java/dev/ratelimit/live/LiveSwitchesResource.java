package dev.ratelimit.live;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import dev.ratelimit.RuleMode;
import dev.ratelimit.actuate.LiveRequest;
import dev.ratelimit.actuate.LiveResource;
import dev.ratelimit.base.UserEdit;
import dev.ratelimit.rule.EnumNames;
import dev.ratelimit.rule.ShownText;

import org.springframework.boot.convert.DurationStyle;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Internal: the resource {@code switches} for all rules, and {@code switches/search} for
 * the rule {@code search}.
 *
 * @param switches the switches
 * @param events publishes the edits of users
 */
record LiveSwitchesResource(Switches switches, ApplicationEventPublisher events) implements LiveResource {

	private static final String INSTANCE = "instance";

	private static final String ALL = "all";

	@Override
	public String name() {
		return "switches";
	}

	@Override
	public boolean operated() {
		return true;
	}

	@Override
	public Optional<Object> read(LiveRequest request) {
		if (!request.path().isEmpty()) {
			return Optional.empty();
		}
		Map<String, Object> description = new LinkedHashMap<>();
		description.put("shared", this.switches.shared());
		description.put("switches", this.switches.active().stream().map(LiveSwitchesResource::of).toList());
		return Optional.of(description);
	}

	@Override
	public boolean permitsTeams() {
		return true;
	}

	@Override
	public Optional<Object> write(LiveRequest request) {
		if (request.path().size() > 1) {
			return Optional.empty();
		}
		requireOnly(request, "mode", "duration", "note", "scope");
		requirePermit(request);
		SwitchRequest wanted = new SwitchRequest(request.path().stream().findFirst(), mode(request.required("mode")),
				duration(request), request.user(), request.note(), instanceOnly(request));
		RuleSwitch set = publish(() -> this.switches.set(wanted));
		ActiveSwitch active = new ActiveSwitch(set, wanted.instanceOnly() || !this.switches.shared());
		this.events.publishEvent(new UserEdit(request.user(), "switch", set.note(), List.of(SwitchText.of(active))));
		return Optional.of(of(active));
	}

	@Override
	public Optional<Object> delete(LiveRequest request) {
		if (request.path().size() > 1) {
			return Optional.empty();
		}
		requireOnly(request, "note", "scope");
		requirePermit(request);
		Optional<String> rule = request.path().stream().findFirst();
		String note = request.note();
		boolean instanceOnly = instanceOnly(request);
		boolean ofAll = request.value("scope").filter(ALL::equals).isPresent();
		boolean ended = publish(() -> (ofAll) ? this.switches.endOfAll(rule) : this.switches.end(rule, instanceOnly));
		if (ended) {
			this.events.publishEvent(
					new UserEdit(request.user(), "switch", note, List.of("ended " + rule.orElse("all rules"))));
		}
		return (ended) ? Optional.of(Map.of("ended", true)) : Optional.empty();
	}

	// If the parameter was ignored, the request would apply to all rules.
	private static void requireOnly(LiveRequest request, String... names) {
		request.value("rule").filter((rule) -> !request.path().equals(List.of(rule))).ifPresent((rule) -> {
			throw new IllegalArgumentException(
					"'rule' does not select a rule here; use the path 'switches/" + ShownText.of(rule) + "'");
		});
		request.requireOnly(names);
	}

	private static void requirePermit(LiveRequest request) {
		if (request.path().isEmpty()) {
			request.permit().requireAll("switches of all rules");
		}
		else {
			request.permit().requireRule(request.path().get(0));
		}
	}

	private static <T> T publish(Supplier<T> change) {
		try {
			return change.get();
		}
		catch (RuleSourceException ex) {
			throw new RuleSourceException("the change cannot reach other instances (" + ex.getMessage()
					+ "); for this instance alone add \"scope\":\"instance\". If the response of the store was lost,"
					+ " 'GET switches' shows whether the switch was changed all the same", ex);
		}
	}

	private static Map<String, Object> of(ActiveSwitch active) {
		RuleSwitch change = active.change();
		Map<String, Object> description = new LinkedHashMap<>();
		change.rule().ifPresent((rule) -> description.put("rule", rule));
		description.put("mode", EnumNames.of(change.mode()));
		description.put("until", Instant.ofEpochMilli(change.untilMillis()).toString());
		description.put("user", change.user());
		description.put("note", change.note());
		description.put("scope", (active.instanceOnly()) ? INSTANCE : ALL);
		return description;
	}

	private static RuleMode mode(String text) {
		return Arrays.stream(RuleMode.values())
			.filter((mode) -> EnumNames.of(mode).equals(text))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("'mode' must be 'off' or 'shadow'"));
	}

	private static Duration duration(LiveRequest request) {
		try {
			return request.value("duration").map(DurationStyle::detectAndParse).orElse(SwitchRequest.DEFAULT_DURATION);
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			throw new IllegalArgumentException("'duration' is not a duration such as 1h", ex);
		}
	}

	private static boolean instanceOnly(LiveRequest request) {
		String scope = request.value("scope").orElse(ALL);
		if (!scope.equals(INSTANCE) && !scope.equals(ALL)) {
			throw new IllegalArgumentException("'scope' must be 'instance' or 'all'");
		}
		return scope.equals(INSTANCE);
	}

}
