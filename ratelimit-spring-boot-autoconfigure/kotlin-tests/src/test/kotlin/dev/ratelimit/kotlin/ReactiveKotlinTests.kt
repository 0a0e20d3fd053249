package dev.ratelimit.kotlin

import org.springframework.test.context.TestPropertySource

@TestPropertySource(properties = ["spring.main.web-application-type=reactive"])
class ReactiveKotlinTests : KotlinContract()
