package dev.ratelimit.web.handler;

import java.util.List;
import java.util.Map;

import dev.ratelimit.annotation.AnnotatedMethod;
import dev.ratelimit.annotation.Exemption;
import dev.ratelimit.web.request.HandlerKey;

/**
 * Internal: which rules each handler method names, and which it is exempt from.
 * Immutable.
 *
 * @param index finds handler methods
 * @param byHandler ids of rules by handler method
 * @param exemptions what handler methods are exempt from
 */
public record HandlerRules(HandlerIndex index, Map<? extends AnnotatedMethod, List<String>> byHandler,
		Map<? extends AnnotatedMethod, Exemption> exemptions) {

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

	public List<String> rules(HandlerKey handler) {
		List<String> rules = this.byHandler.get(handler);
		return (rules != null) ? rules : List.of();
	}

	public Exemption exemption(HandlerKey handler) {
		Exemption exemption = this.exemptions.get(handler);
		return (exemption != null) ? exemption : Exemption.NONE;
	}

}
