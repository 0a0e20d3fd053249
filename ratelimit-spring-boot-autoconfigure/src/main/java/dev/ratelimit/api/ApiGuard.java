package dev.ratelimit.api;

import java.security.Principal;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

import dev.ratelimit.base.Namespaces;
import dev.ratelimit.base.RulePermit;
import dev.ratelimit.live.edit.EditRequest;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a client may use an operation of the API, independently of the filter
 * chain of Spring Security. Authentication alone is not sufficient. Immutable.
 *
 * @param authorities reads the authorities of a principal
 * @param check the authority to charge limits
 * @param read the authority to read rules and limits
 * @param write the authority to change rules
 * @param namespaces the rules that teams may change
 */
record ApiGuard(Function<Principal, Collection<String>> authorities, String check, String read, String write,
		Namespaces namespaces) {

	private static final int UNAUTHORIZED = 401;

	private static final int FORBIDDEN = 403;

	void requireCheck(@Nullable Principal client) {
		require(client, this.check, "checks need");
	}

	void requireRead(@Nullable Principal client) {
		require(client, this.read, "reading needs");
	}

	private Writer requireWrite(@Nullable Principal client) {
		Collection<String> granted = (client != null) ? this.authorities.apply(client) : List.of();
		RulePermit permit = (granted.contains(this.write)) ? RulePermit.ALL
				: RulePermit.of(this.namespaces, granted, this.write);
		if (client != null && permit.some()) {
			return new Writer(client.getName(), permit);
		}
		return new Writer(require(client, this.write, "changes need").getName(), permit);
	}

	/**
	 * Require the right to change a rule, before a response reveals information about the
	 * rule.
	 * @param client the client
	 * @param rule the id of the rule
	 * @return the client
	 * @throws dev.ratelimit.base.EditForbiddenException if the client does not have the
	 * right
	 */
	Writer requireWrite(@Nullable Principal client, String rule) {
		Writer writer = requireWrite(client);
		writer.permit().requireRule(rule);
		return writer;
	}

	private Principal require(@Nullable Principal client, String authority, String subject) {
		if (client == null) {
			throw new ApiException(UNAUTHORIZED,
					subject + " the authority " + authority + "; the request is not authenticated");
		}
		if (!this.authorities.apply(client).contains(authority)) {
			throw new ApiException(FORBIDDEN, subject + " the authority " + authority);
		}
		return client;
	}

	/**
	 * A client that changes rules.
	 *
	 * @param name its name
	 * @param permit the rules that it may change
	 */
	record Writer(String name, RulePermit permit) {

		// The version is 0, because the condition of the request checks the version that
		// the client has read.
		EditRequest request() {
			return new EditRequest(0, this.name, "by the API", false, this.permit);
		}

	}

}
