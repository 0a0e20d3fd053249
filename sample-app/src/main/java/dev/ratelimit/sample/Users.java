package dev.ratelimit.sample;

import java.util.List;

import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;

/**
 * Who can log in: alice has the plan free, bob has paid.
 */
final class Users {

	/** Requests that need a user; everything else is open. */
	static final String[] PROTECTED = { "/api/search", "/api/reports", "/api/orders" };

	private Users() {
	}

	static List<UserDetails> all() {
		return List.of(user("alice", "PLAN_free"), user("bob", "PLAN_paid"));
	}

	private static UserDetails user(String name, String plan) {
		return User.withUsername(name).password("{noop}" + name).authorities("ROLE_USER", plan).build();
	}

}
