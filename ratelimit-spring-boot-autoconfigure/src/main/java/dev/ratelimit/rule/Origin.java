package dev.ratelimit.rule;

import java.util.List;
import java.util.Optional;

/**
 * Internal: the origin of a rule: the layers that define it, the lowest first. Each
 * overrides those below it. Immutable.
 *
 * @param layers the layers, at least one
 */
public record Origin(List<Layer> layers) {

	/** The origin of rules that are defined in code. */
	public static final Origin CODE = new Origin(List.of(new Layer(Kind.CODE, "", Optional.empty())));

	public Origin {
		layers = List.copyOf(layers);
		if (layers.isEmpty()) {
			throw new IllegalArgumentException("A rule is written in at least one layer");
		}
	}

	/**
	 * Return the layer that overrides the others.
	 * @return the uppermost layer
	 */
	Layer top() {
		return this.layers.get(this.layers.size() - 1);
	}

	/**
	 * A kind of layer, the lowest first.
	 */
	public enum Kind {

		/** In code of this library or of a test. */
		CODE,

		/** On a method or class. */
		ANNOTATION,

		/** Under {@code ratelimit.rules}. */
		PROPERTY,

		/** In a source of live rules. */
		LIVE

	}

	/**
	 * A place that defines the rule.
	 *
	 * @param kind the kind of place
	 * @param location the property or method, as shown in messages
	 * @param change the last change there, for live rules only
	 */
	public record Layer(Kind kind, String location, Optional<LiveChange> change) {
	}

}
