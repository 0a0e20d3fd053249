package dev.ratelimit.actuate;

import java.security.Principal;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Function;

/**
 * Internal: who may change rules and switches. Being logged in is not enough.
 *
 * @param write the authority that may change everything
 * @param operate the authority that may set switches
 * @param authorities reads the authorities of a principal
 * @param unguarded whether anybody may change everything, since nothing authenticates
 * users and the application says so
 */
public record LiveAccess(String write, String operate, Function<Optional<Principal>, Collection<String>> authorities,
		boolean unguarded) {

	/**
	 * Require the right to change rules.
	 * @param principal who wants it
	 * @throws ForbiddenException if the principal may not
	 */
	void requireWrite(Optional<Principal> principal) {
		if (!has(principal, this.write)) {
			throw new ForbiddenException("changes need the authority " + this.write);
		}
	}

	/**
	 * Require the right to set switches.
	 * @param principal who wants it
	 * @throws ForbiddenException if the principal may not
	 */
	void requireOperate(Optional<Principal> principal) {
		if (!has(principal, this.write) && !has(principal, this.operate)) {
			throw new ForbiddenException("switches need the authority " + this.operate + " or " + this.write);
		}
	}

	private boolean has(Optional<Principal> principal, String authority) {
		return this.unguarded || this.authorities.apply(principal).contains(authority);
	}

	/**
	 * The principal may not.
	 */
	static final class ForbiddenException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		ForbiddenException(String reason) {
			super(reason);
		}

	}

}
