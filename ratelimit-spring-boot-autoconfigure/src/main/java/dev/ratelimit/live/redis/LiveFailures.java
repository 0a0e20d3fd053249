package dev.ratelimit.live.redis;

import java.util.function.Supplier;

import dev.ratelimit.live.RuleSourceException;
import dev.ratelimit.live.UnreadableRulesException;
import dev.ratelimit.store.StoreException;

/**
 * Internal: describes failures of Redis as failures of a source of rules.
 */
public final class LiveFailures {

	private LiveFailures() {
	}

	/**
	 * Call Redis and wait.
	 * @param <T> the type of the result
	 * @param call the call
	 * @return its result
	 * @throws RuleSourceException if Redis is unavailable or has unreadable content
	 */
	public static <T> T translated(Supplier<T> call) {
		try {
			return call.get();
		}
		catch (StoreException ex) {
			throw new RuleSourceException(reason(ex), ex);
		}
		catch (UnreadableDocumentException ex) {
			throw new UnreadableRulesException(ex.version(), ex.digest(),
					"the content of Redis cannot be read: " + ex.getMessage(), ex);
		}
		catch (IllegalArgumentException ex) {
			throw new RuleSourceException("the content of Redis cannot be read: " + ex.getMessage(), ex);
		}
	}

	static String reason(StoreException failure) {
		return (failure.kind() == StoreException.Kind.TIMEOUT) ? "timeout" : String.valueOf(failure.getMessage());
	}

}
