package dev.ratelimit.web;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.Criticality.Level;
import dev.ratelimit.rule.AnnotatedMethod;
import dev.ratelimit.rule.Exemption;
import org.jspecify.annotations.Nullable;

/**
 * Internal: the rules that each handler method references, and the exemptions of handler
 * methods. Immutable.
 *
 * @param index finds handler methods
 * @param byHandler ids of rules by handler method
 * @param exemptions exemptions by handler method
 * @param levels levels of requests by handler method
 */
public record HandlerRules(HandlerIndex index, Map<? extends AnnotatedMethod, List<String>> byHandler,
		Map<? extends AnnotatedMethod, Exemption> exemptions, Map<? extends AnnotatedMethod, Level> levels) {

	/** No rules of handlers. */
	public static final HandlerRules NONE = new HandlerRules(HandlerIndex.EMPTY, Map.of());

	/**
	 * Create rules of handler methods without exemptions.
	 * @param index finds handler methods
	 * @param byHandler ids of rules by handler method
	 */
	public HandlerRules(HandlerIndex index, Map<? extends AnnotatedMethod, List<String>> byHandler) {
		this(index, byHandler, Map.of());
	}

	/**
	 * Create rules of handler methods without levels.
	 * @param index finds handler methods
	 * @param byHandler ids of rules by handler method
	 * @param exemptions exemptions by handler method
	 */
	public HandlerRules(HandlerIndex index, Map<? extends AnnotatedMethod, List<String>> byHandler,
			Map<? extends AnnotatedMethod, Exemption> exemptions) {
		this(index, byHandler, exemptions, Map.of());
	}

	List<String> rules(HandlerKey handler) {
		List<String> rules = this.byHandler.get(handler);
		return (rules != null) ? rules : List.of();
	}

	/**
	 * Return the level of a request by the handler method that serves it.
	 * @param served the handler method, if it has rules or a level
	 * @return the level; null if the method has none
	 */
	@Nullable Level level(Optional<HandlerIndex.Served> served) {
		return (served.isPresent()) ? this.levels.get(served.get().handler()) : null;
	}

	Exemption exemption(HandlerKey handler) {
		Exemption exemption = this.exemptions.get(handler);
		return (exemption != null) ? exemption : Exemption.NONE;
	}

}
