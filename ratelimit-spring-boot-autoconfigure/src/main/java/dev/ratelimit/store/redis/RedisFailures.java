package dev.ratelimit.store.redis;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;

import org.springframework.core.NestedExceptionUtils;

/**
 * Translates exceptions of the Redis client to store exceptions.
 */
final class RedisFailures {

	/**
	 * The error codes of a server that is running but temporarily not ready.
	 */
	private static final Set<String> NOT_READY = Set.of("LOADING", "BUSY", "CLUSTERDOWN", "MASTERDOWN", "READONLY",
			"OOM", "NOREPLICAS", "MISCONF");

	/** Some of the keys of a script are still on the former node of their slot. */
	private static final String APART = "TRYAGAIN";

	private static final Set<String> REDIRECTIONS = Set.of("MOVED", "ASK");

	/** The start of the client's messages for commands that it has not sent. */
	private static final Pattern NOT_SENT = Pattern
		.compile("Currently not connected|Request queue size exceeded|Connection is closed");

	/**
	 * The start of an error that names the place of a failed command: in a script, or in
	 * a script of a batch.
	 */
	private static final Pattern SCRIPT_POSITION = Pattern.compile("ERR Error running script|@user_script");

	private RedisFailures() {
	}

	static StoreException translate(Throwable failure) {
		Throwable cause = unwrap(failure);
		if (cause instanceof StoreException translated) {
			return translated;
		}
		Kind kind = kind(cause);
		return (isUncharged(cause, kind)) ? StoreException.uncharged(kind, message(cause), cause)
				: new StoreException(kind, message(cause), cause);
	}

	// A server that is not ready runs no script, and a command that the client rejects
	// was not sent. After any other failure, the request may have been charged.
	private static boolean isUncharged(Throwable cause, Kind kind) {
		if (cause instanceof RedisCommandExecutionException) {
			return kind == Kind.CONNECTION || kind == Kind.MIGRATING;
		}
		return cause.getClass() == RedisException.class && NOT_SENT.matcher(message(cause)).lookingAt();
	}

	// Return the client's exception without the exceptions that wrap it.
	static Throwable unwrap(Throwable failure) {
		boolean carries = failure instanceof CompletionException || failure instanceof ExecutionException
				|| isHandshake(failure);
		return (carries && failure.getCause() != null) ? unwrap(failure.getCause()) : failure;
	}

	// The server accepted the connection, but returned an error, such as for a wrong
	// password, or did not reply.
	private static boolean isHandshake(Throwable failure) {
		return failure instanceof RedisConnectionException
				&& (failure.getCause() instanceof RedisCommandExecutionException
						|| failure.getCause() instanceof RedisCommandTimeoutException);
	}

	// A client that follows redirections stops after a few: the nodes do not agree yet on
	// the owner of a slot. A client that does not follow redirections has the wrong
	// address.
	static StoreException translate(Throwable failure, StatefulConnection<?, ?> connection) {
		StoreException translated = translate(failure);
		boolean follows = connection instanceof StatefulRedisClusterConnection;
		return (follows && REDIRECTIONS.contains(errorCode(String.valueOf(translated.getMessage()))))
				? StoreException.uncharged(Kind.CONNECTION, String.valueOf(translated.getMessage()), translated)
				: translated;
	}

	private static Kind kind(Throwable cause) {
		if (isDistrusted(cause)) {
			return Kind.OTHER;
		}
		if (cause instanceof RedisCommandTimeoutException || cause instanceof CancellationException) {
			return Kind.TIMEOUT;
		}
		if (cause instanceof RedisCommandExecutionException) {
			String code = errorCode(message(cause));
			if (code.equals(APART)) {
				return Kind.MIGRATING;
			}
			return (NOT_READY.contains(code)) ? Kind.CONNECTION : Kind.SCRIPT;
		}
		return (cause instanceof RedisException || cause instanceof IOException) ? Kind.CONNECTION : Kind.OTHER;
	}

	// A security failure is permanent, and only the innermost exception contains the
	// reason.
	private static boolean isDistrusted(Throwable failure) {
		return NestedExceptionUtils.getMostSpecificCause(failure) instanceof GeneralSecurityException;
	}

	private static String message(Throwable failure) {
		Throwable cause = (isDistrusted(failure)) ? NestedExceptionUtils.getMostSpecificCause(failure) : failure;
		return (cause.getMessage() != null) ? cause.getMessage() : cause.getClass().getSimpleName();
	}

	// Before Redis 7, the error of a command in a script is wrapped:
	// "ERR Error running script (call to f_...): @user_script:1: ... -OOM command ..."
	private static String errorCode(String message) {
		int inner = (SCRIPT_POSITION.matcher(message).lookingAt()) ? message.lastIndexOf(": ") + 2 : 0;
		int start = (message.startsWith("-", inner)) ? inner + 1 : inner;
		int end = message.indexOf(' ', start);
		return (end < 0) ? message.substring(start) : message.substring(start, end);
	}

	/**
	 * Wait for a response.
	 * @param <T> the type of the response
	 * @param result the future response
	 * @param timeout the maximum time to wait
	 * @return the result
	 * @throws StoreException if there is no response
	 */
	static <T> T await(CompletableFuture<T> result, Duration timeout) {
		try {
			return result.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new StoreException(Kind.OTHER, "interrupted", ex);
		}
		catch (TimeoutException ex) {
			throw new StoreException(Kind.TIMEOUT, "no response within " + timeout.toMillis() + " ms", ex);
		}
		catch (ExecutionException ex) {
			throw translate(ex);
		}
	}

}
