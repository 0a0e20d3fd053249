package dev.ratelimit.engine;

/**
 * Internal: a part of each {@link Edition}, such as the rules that a gate matches.
 * Immutable.
 *
 * @param <T> the type of the part
 */
public final class EditionPart<T> {

	private final int index;

	private final T none;

	private final Compiler<T> compiler;

	EditionPart(int index, T none, Compiler<T> compiler) {
		this.index = index;
		this.none = none;
		this.compiler = compiler;
	}

	/**
	 * Return the part that was compiled for an edition.
	 * @param edition the edition
	 * @return the part
	 */
	@SuppressWarnings("unchecked")
	public T in(Edition edition) {
		Object[] parts = edition.parts();
		return (this.index < parts.length) ? (T) parts[this.index] : this.none;
	}

	T compile(Edition next, Edition before) {
		return this.compiler.compile(next, in(before));
	}

	/**
	 * Compiles a part of an edition.
	 *
	 * @param <T> the type of the part
	 */
	@FunctionalInterface
	public interface Compiler<T> {

		/**
		 * Compile a part. Must not have other effects, because the edition may still be
		 * rejected.
		 * @param next the edition; parts that were added before this one are already
		 * compiled
		 * @param before the part of the previous edition, whose unchanged elements can be
		 * reused
		 * @return the part
		 * @throws dev.ratelimit.rule.InvalidRuleException if the rules are invalid
		 */
		T compile(Edition next, T before);

	}

}
