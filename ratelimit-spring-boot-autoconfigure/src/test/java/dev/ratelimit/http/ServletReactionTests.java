package dev.ratelimit.http;

import org.junit.jupiter.api.Test;

import org.springframework.test.context.TestPropertySource;

@TestPropertySource(properties = "spring.main.web-application-type=servlet")
class ServletReactionTests extends ReactionContract {

	@Test
	void aPageOfAnotherSiteHasNoUserBannedByCallsThatBlock() {
		requireOwnStrikes("/quotes/now");
	}

}
