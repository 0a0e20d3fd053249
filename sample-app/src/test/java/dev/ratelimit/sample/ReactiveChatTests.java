package dev.ratelimit.sample;

import org.springframework.test.context.TestPropertySource;

@TestPropertySource(properties = "spring.main.web-application-type=reactive")
class ReactiveChatTests extends ChatContract {

}
