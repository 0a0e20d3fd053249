package dev.ratelimit.engine;

/**
 * Internal: a part of each {@link Edition}, such as the rules that a gate matches.
 * Immutable.
 *
 * @param <T> what is compiled
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
	 * @param <T> what is compiled
	 */
	@FunctionalInterface
	public interface Compiler<T> {

		/**
		 * Compile a part. Must change nothing else: the edition may still be rejected.
		 * @param next the rules of the edition; parts that were added before this one are
		 * compiled already
		 * @param before what was compiled for the edition before, of which all that is
		 * unchanged may be used again
		 * @return what was compiled
		 * @throws dev.ratelimit.rule.InvalidRuleException if the rules cannot be used
		 */
		T compile(Edition next, T before);

	}

}
