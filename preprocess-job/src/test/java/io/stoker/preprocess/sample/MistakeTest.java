package io.stoker.preprocess.sample;

import static io.stoker.preprocess.sample.Lines.rejection;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.stoker.preprocess.reject.RejectReason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Valid JSON that is no usable record. Single quotes stand for double ones. */
class MistakeTest {
  private static final String ANSWER = "{'from':'gpt','value':'a'}";
  private static final String QUESTION = "{'from':'human','value':'q'}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                                                              | UNKNOWN_SHAPE
          {'jpg':'a','txt':'b'}                                           | UNKNOWN_SHAPE
          {'question':'q'}                                                | UNKNOWN_SHAPE
          {'messages':[],'conversations':[]}                              | UNKNOWN_SHAPE
          {'messages':null}                                               | UNKNOWN_SHAPE
          {'messages':'hello'}                                            | BAD_TYPE
          {'conversations':{}}                                            | BAD_TYPE
          {'conversations':['hello']}                                     | BAD_TYPE
          {'conversations':[[$Q,$A]]}                                     | BAD_TYPE
          {'conversations':[]}                                            | NO_SUPERVISED_TOKENS
          {'conversations':[$Q]}                                          | NO_SUPERVISED_TOKENS
          {'conversations':[$A]}                                          | BAD_TURN_ORDER
          {'conversations':[$A,$Q,$A]}                                    | BAD_TURN_ORDER
          {'conversations':[$Q,$Q,$A]}                                    | BAD_TURN_ORDER
          {'conversations':[$Q,$A,$A]}                                    | BAD_TURN_ORDER
          {'conversations':[$Q,$A,{'from':'system','value':'s'}]}         | BAD_TURN_ORDER
          {'system':'s','conversations':[{'from':'system','value':'s'},$Q,$A]} | BAD_TURN_ORDER
          {'system':['s'],'conversations':[$Q,$A]}                        | BAD_TYPE
          {'conversations':[{'from':'narrator','value':'x'},$Q,$A]}       | UNKNOWN_ROLE
          {'conversations':[{'from':'','value':'x'},$Q,$A]}               | UNKNOWN_ROLE
          {'conversations':[{'value':'x'},$Q,$A]}                         | UNKNOWN_ROLE
          {'conversations':[{'from':1,'value':'x'},$Q,$A]}                | BAD_TYPE
          {'conversations':[$Q,{'from':'tool','value':'x'},$A]}           | UNKNOWN_ROLE
          {'conversations':[$Q,$A],'tools':'[{}]'}                        | UNKNOWN_SHAPE
          {'messages':[$Q,{'role':'assistant','content':'','tool_calls':[{}]}]} | UNKNOWN_SHAPE
          {'conversations':[{'from':'human','value':''},$A]}              | EMPTY_TURN
          {'conversations':[{'from':'human','value':' \\n\\u3000'},$A]}   | EMPTY_TURN
          {'conversations':[{'from':'human'},$A]}                         | EMPTY_TURN
          {'conversations':[$Q,{'from':'gpt','value':null}]}              | EMPTY_TURN
          {'conversations':[$Q,{'from':'gpt','value':'\\n'}]}             | EMPTY_TURN
          {'messages':[{'role':'user','content':[]},$A]}                  | EMPTY_TURN
          {'question':'','answer':'a'}                                    | EMPTY_TURN
          {'question':'q','answer':null}                                  | EMPTY_TURN
          {'question':'q','answer':['a']}                                 | BAD_TYPE
          {'question':'q','answer':3}                                     | BAD_TYPE
          {'conversations':[{'from':'human','value':5},$A]}               | BAD_TYPE
          {'conversations':[{'from':'human','value':{'text':'q'}},$A]}    | BAD_TYPE
          {'messages':[{'role':'user','content':['q']},$A]}               | BAD_TYPE
          {'messages':[{'role':'user','content':[{'type':'text'}]},$A]}   | BAD_TYPE
          {'id':true,'conversations':[$Q,$A]}                             | BAD_TYPE
          {'id':{'x':1},'conversations':[$Q,$A]}                          | BAD_TYPE
          {'image':5,'conversations':[$Q,$A]}                             | BAD_TYPE
          {'image':[true],'conversations':[$Q,$A]}                        | BAD_TYPE
          {'image':{'name':'a'},'conversations':[$Q,$A]}                  | BAD_TYPE
          {'image':{'bytes':'AAA='},'conversations':[$Q,$A]}              | UNSUPPORTED_MEDIA
          {'image':'a','images':['b'],'conversations':[$Q,$A]}            | UNKNOWN_SHAPE
          {'image':'a','conversations':[$Q,$A]}                           | MEDIA_COUNT_MISMATCH
          {'image':['a','b'],'conversations':[{'from':'human','value':'<image>q'},$A]} | MEDIA_COUNT_MISMATCH
          {'image':'a','conversations':[$Q,{'from':'gpt','value':'<image>'}]} | MEDIA_COUNT_MISMATCH
          {'conversations':[{'from':'human','value':'<image>q'},$A]}      | MEDIA_COUNT_MISMATCH
          {'image':'a','question':'<image><image>','answer':'x'}          | MEDIA_COUNT_MISMATCH
          {'images':['a'],'messages':[{'role':'user','content':[{'type':'text','text':'<image>'}]},$A]} | MEDIA_COUNT_MISMATCH
          {'messages':[{'role':'user','content':[{'type':'image'},{'text':'q'}]},$A]} | MEDIA_COUNT_MISMATCH
          {'messages':[{'role':'user','content':[{'type':'image','url':'a','path':'b'}]},$A]} | BAD_TYPE
          {'messages':[{'role':'user','content':[{'type':'image_url','image_url':7}]},$A]} | BAD_TYPE
          {'messages':[{'role':'user','content':[{'type':'video','video':'v'}]},$A]} | UNSUPPORTED_MEDIA
          {'messages':[{'role':'user','content':[{'type':'input_audio'}]},$A]} | UNSUPPORTED_MEDIA
          {'messages':[$Q,{'role':'assistant','content':[{'type':'image','url':'a'}]}]} | UNSUPPORTED_MEDIA
          {'video':'v.mp4','conversations':[$Q,$A]}                       | UNSUPPORTED_MEDIA
          {'audios':['v'],'conversations':[$Q,$A]}                        | UNSUPPORTED_MEDIA
          {'conversations':[{'from':'human','value':'<video>q'},$A]}      | UNSUPPORTED_MEDIA
          {'image':'\\ud83d','question':'q','answer':'a'}                 | BAD_TEXT
          {'question':'q','answer':'\\ud83d'}                             | BAD_TEXT
          """)
  void isRejectedWithItsReason(String line, RejectReason reason) {
    Rejection rejection = rejection(json(line));
    assertEquals(reason, rejection.reason(), rejection.detail());
    assertFalse(rejection.detail().chars().anyMatch(Character::isISOControl), "one line");
  }

  @Test
  void detailsSayWhatWasExpectedAndFound() {
    assertEquals(
        "expected as many tags as media, found 0 tags and 1 media",
        rejection(json("{'image':'a','conversations':[$Q,$A]}")).detail());
    assertEquals(
        "expected a known role, found \"x\\u000aERROR \\u202e\"",
        rejection(json("{'conversations':[{'from':'x\\nERROR \\u202e','value':'q'}]}")).detail());
    assertEquals(
        "expected alternating roles, found turn 2 of USER",
        rejection(json("{'conversations':[$Q,$Q,$A]}")).detail());
  }

  private static String json(String line) {
    return line.replace("$Q", QUESTION).replace("$A", ANSWER).replace('\'', '"');
  }
}
