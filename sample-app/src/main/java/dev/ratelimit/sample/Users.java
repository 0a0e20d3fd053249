package dev.ratelimit.sample;

import java.util.List;

import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * The users of the sample: alice has the plan free, and bob has the plan paid. With the
 * profile {@code fleet}, the operator may change rules.
 */
final class Users {

	/** Paths that need a user; all other paths are open. */
	static final String[] PROTECTED = { "/api/search", "/api/reports", "/api/orders", "/api/shared", "/api/chat" };

	/** Paths that the operator uses. */
	static final String[] OPERATED = { "/actuator/ratelimitui", "/actuator/ratelimitlive", "/actuator/ratelimitlive/**",
			"/v1/ratelimit/**" };

	/**
	 * The lowest strength, because the passwords are known, and a sample must be fast.
	 */
	static final PasswordEncoder PASSWORDS = new BCryptPasswordEncoder(4);

	private Users() {
	}

	static List<UserDetails> all() {
		return List.of(user("alice", "ROLE_USER", "PLAN_free"), user("bob", "ROLE_USER", "PLAN_paid"),
				user("operator", "RATELIMIT_CHECK", "RATELIMIT_READ", "RATELIMIT_OPERATE", "RATELIMIT_WRITE"));
	}

	private static UserDetails user(String name, String... authorities) {
		return User.withUsername(name).password(PASSWORDS.encode(name)).authorities(authorities).build();
	}

}
