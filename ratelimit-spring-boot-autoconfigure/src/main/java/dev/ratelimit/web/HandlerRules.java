package dev.ratelimit.web;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.Criticality.Level;
import dev.ratelimit.rule.AnnotatedMethod;
import dev.ratelimit.rule.Exemption;
import org.jspecify.annotations.Nullable;

/**
 * Internal: which rules each handler method names, and which it is exempt from.
 * Immutable.
 *
 * @param index finds handler methods
 * @param byHandler ids of rules by handler method
 * @param exemptions what handler methods are exempt from
 * @param levels how important the requests of handler methods are
 */
public record HandlerRules(HandlerIndex index, Map<? extends AnnotatedMethod, List<String>> byHandler,
		Map<? extends AnnotatedMethod, Exemption> exemptions, Map<? extends AnnotatedMethod, Level> levels) {

	/** No handler names a rule. */
	public static final HandlerRules NONE = new HandlerRules(HandlerIndex.EMPTY, Map.of());

	/**
	 * Rules of handler methods none of which is exempt from any.
	 * @param index finds handler methods
	 * @param byHandler ids of rules by handler method
	 */
	public HandlerRules(HandlerIndex index, Map<? extends AnnotatedMethod, List<String>> byHandler) {
		this(index, byHandler, Map.of());
	}

	/**
	 * Rules of handler methods none of which has a level.
	 * @param index finds handler methods
	 * @param byHandler ids of rules by handler method
	 * @param exemptions what handler methods are exempt from
	 */
	public HandlerRules(HandlerIndex index, Map<? extends AnnotatedMethod, List<String>> byHandler,
			Map<? extends AnnotatedMethod, Exemption> exemptions) {
		this(index, byHandler, exemptions, Map.of());
	}

	public List<String> rules(HandlerKey handler) {
		List<String> rules = this.byHandler.get(handler);
		return (rules != null) ? rules : List.of();
	}

	/**
	 * How important a request is by the handler method that serves it.
	 * @param served the handler method, if it has rules or a level
	 * @return its level; null if it says none
	 */
	public @Nullable Level level(Optional<HandlerIndex.Served> served) {
		return (served.isPresent()) ? this.levels.get(served.get().handler()) : null;
	}

	public Exemption exemption(HandlerKey handler) {
		Exemption exemption = this.exemptions.get(handler);
		return (exemption != null) ? exemption : Exemption.NONE;
	}

}
