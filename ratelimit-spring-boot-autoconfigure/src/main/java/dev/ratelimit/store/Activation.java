package dev.ratelimit.store;

import org.jspecify.annotations.Nullable;

/**
 * The moment at which a set of rules becomes active. Rules that are compiled before that
 * moment refer to it. Thread-safe.
 * <p>
 * Experimental: may change in any release.
 *
 * @since 0.1.0
 */
public final class Activation {

	private volatile @Nullable Long atNanos;

	/**
	 * An activation that has happened.
	 * @param atNanos its {@link Time}
	 * @return the activation
	 */
	public static Activation at(long atNanos) {
		Activation activation = new Activation();
		activation.happens(atNanos);
		return activation;
	}

	/**
	 * Record that the rules become active.
	 * @param nowNanos the {@link Time}
	 */
	public void happens(long nowNanos) {
		this.atNanos = nowNanos;
	}

	/**
	 * Whether some time has passed since the activation.
	 * @param nanos the time
	 * @param nowNanos the {@link Time}
	 * @return false if the rules are not active yet
	 */
	boolean isPast(long nanos, long nowNanos) {
		Long at = this.atNanos;
		return at != null && nowNanos - at - nanos >= 0;
	}

}
