package dev.ratelimit.http;

import org.springframework.test.context.TestPropertySource;

@TestPropertySource(properties = "spring.main.web-application-type=servlet")
class ServletReactionTests extends ReactionContract {

}
