const split = (hosts: string): string[] => hosts.trim().split(/\s+/);

/**
 * Hosts whose subdomains or pages belong to different owners, although the Public Suffix List has no private rule for
 * them. Each is treated as a public suffix. `docs/shared-hosts.md` has their services, and a test fails when the Public
 * Suffix List adds one of them.
 */
export const sharedHosts: ReadonlySet<string> = new Set([
  // Blogs
  ...split(`
    20minutes-blogs.fr air-nifty.com aircus.com amebaownd.com antville.org arzublog.com asablo.jp at.webry.info
    avablog.ir beeplog.com beeplog.de bligoo.cl bligoo.com bligoo.com.ar bligoo.com.mx bligoo.es blog-city.com
    blog.163.com blog.co.uk blog.de blog.hr blog.idnes.cz blog.lemonde.fr blog.me blog.onet.pl blog.rs
    blog.shinobi.jp blog.sme.sk blog.sohu.com blog.tiscali.it blog.uol.com.br blogalia.com blogas.lt blogbus.com
    blogchina.com blogcindario.com blogcn.com blogcu.com blogdetik.com blogdiario.com blogdrive.com bloger.hr
    blogg.org bloggagratis.se bloggang.com bloggeek.jp blogger.ba blogger.com.br blogger.de bloggersdelight.dk
    bloggo.nu bloggplatsen.se bloghaa.com blogi.pl blogia.com blogigo.com blogigo.de blogix.ir blogol.hu
    blogr.lt blogs.fr blogs.nouvelobs.com blogse.nl blogsome.com blogsport.de blogster.com blogter.hu bloguje.cz
    blomaga.jp blot.im bokee.com bravejournal.com bravejournal.net cafeblog.hu cowblog.fr devote.se diandian.com
    diary.to doorblog.jp dosugoi.net dreamlog.jp egloos.com eklablog.fr eklablog.net eshizuoka.jp
    espacioblog.com exteen.com fbl.pl fc2.net flog.pl freeblog.hu fullblog.com.ar gger.jp golog.jp hamazo.tv
    hashnode.dev iobloggo.com iranblog.com jeeran.com jogger.pl journalspace.com kulando.de lacoctelera.com
    lacoctelera.net ldblog.jp livedoor.biz livedoor.blog localinfo.jp lofter.com loxblog.com lxb.ir
    maktoobblog.com mataroa.blog micro.blog midiblogs.com mirtesen.ru moe-nifty.com mojblog.rs monoblog.ir
    multiply.com muragon.com myblog.de myblog.it mylog.pl mynikki.jp mywapblog.com naganoblog.jp naturum.ne.jp
    network.hu niniweblog.com nireblog.com nolblog.hu obolog.com obolog.es officialblog.jp over-blog.de
    over-blog.es over-blog.fr over-blog.it over-blog.net ownlog.com parsiblog.com pblogs.gr pen.io
    persianblog.ir pise.cz postach.io posterous.com postr.hu prose.sh publog.jp punt.nl reblog.hu
    rediffiland.com reismee.nl revolublog.com rozblog.com salon24.pl samenblog.com shopinfo.jp silvrback.com
    skyblog.com skynetblogs.be slmame.com splinder.com storeinfo.jp storyblog.jp tarlog.com tea-nifty.com
    teacup.com techblog.jp theblog.me themedia.jp therestaurant.jp ti-da.net twoday.net txt-nifty.com
    typepad.co.uk typepad.fr typepad.jp uniterre.com vefblog.net vip-blog.com vnweblogs.com vuodatus.net
    waarbenjij.nu way-nifty.com web-log.nl webblogg.se weblog.com.pt weblog.ro weblog.to webry.info write.as
    writeas.com xxxblog.jp yaplog.jp zip.net zonalibre.org zoomblog.com
  `),
  // Blog networks
  ...split(`
    59bloggers.com aboutyoublog.com acidblog.net activablog.com activosblog.com affiliatblogger.com
    ageeksblog.com aioblogs.com alltdesign.com ambien-blog.com amoblog.com ampedpages.com anchor-blog.com
    angelinsblog.com answerblogs.com articlesblogger.com arwebo.com atualblog.com azzablog.com blazingblog.com
    bleepblogs.com bligblogging.com blog-a-story.com blog-eye.com blog-ezine.com blog-gold.com blog-kids.com
    blog2freedom.com blog2learn.com blog2news.com blog5.net blogacep.com blogadvize.com blogaritma.com
    blogars.com blogchaat.com blogcudinti.com blogdal.com blogdemls.com blogdigy.com blogdomago.com blogerus.com
    bloggadores.com bloggazza.com bloggerbags.com bloggerswise.com bloggin-ads.com bloggosite.com bloginwi.com
    blogkoo.com blogminds.com blognody.com blogofoto.com blogpayz.com blogpixi.com blogpostie.com
    blogrelation.com blogripley.com blogs-service.com blogs100.com blogsidea.com blogstival.com blogsumer.com
    blogsuperapp.com blogsvila.com blogsvirals.com blogthisbiz.com blogtov.com blogunok.com blogvivi.com
    blogzet.com bluxeblog.com buyoutblog.com canariblogs.com collectblogs.com csublogs.com dailyhitblog.com
    daneblogger.com dbblog.net develop-blog.com dgbloggers.com digiblogbox.com dm-blog.com dreamyblogs.com
    educationalimpactblog.com eedblog.com elbloglibre.com estate-blog.com ezblogz.com fireblogz.com fitnell.com
    free-blogz.com frewwebs.com getblogs.net glifeblog.com goabroadblog.com gynoblog.com imblogs.net is-blog.com
    ivasdesign.com iyublog.com izrablog.com jaiblogs.com jts-blog.com ka-blogs.com kylieblog.com laowaiblog.com
    liberty-blog.com life3dblog.com like-blogs.com livebloggs.com loginblogin.com look4blog.com losblogos.com
    ltfblog.com luwebs.com madmouseblog.com mdkblog.com mpeblog.com mybuzzblog.com newbigblog.com newsbloger.com
    nizarblog.com oblogation.com onesmablog.com ourcodeblog.com p2blogs.com post-blogs.com prublogger.com
    qodsblog.com qowap.com review-blogger.com rimmablog.com shoutmyblog.com slypage.com smblogsites.com
    snack-blog.com spintheblog.com suomiblog.com targetblogs.com tblogz.com techionblog.com theblogfairy.com
    theideasblog.com thekatyblog.com thelateblog.com theobloggers.com therainblog.com timeblog.net tkzblog.com
    topbloghub.com total-blog.com ttblogs.com tusblogos.com uzblog.net vblogetin.com vidublog.com
    webdesign96.com weblogco.com win-blog.com wizzardsblog.com worldblogged.com wssblogs.com xzblogs.com
    yomoblog.com ziblogs.com
  `),
  // Site builders
  ...split(`
    3dn.ru 5mp.eu a5.ru alle.bg asso-web.com beep.com beepworld.de beepworld.it bitrix24.site
    builderallwppro.com cabanova.com cafe24.com carbonmade.com chapso.de clan.su clickfunnels.com clubeo.com
    company.site comunidades.net crayonsite.com crayonsite.info crayonsite.net creatorlink.net crevado.com de.tl
    drupalgardens.com editme.com es.tl footeo.com format.com fr.gd galeon.com goope.jp hostingerapp.com
    hostingersite.com hpage.de hs-sites.com hubspotpagebuilder.com hupont.hu igetweb.com imcreator.com imweb.me
    io.ua it.gg jigsy.com jouwweb.be jouwweb.nl kartra.com kotisivukone.com lapunk.hu mailchimpsites.com
    manifo.com mex.tl mindenkilapja.hu mn.co modoo.at monsite-orange.fr mozello.de mozello.ee mozello.es
    mozello.lt mozello.lv mozello.ru my-free.website mykajabi.com mylivepage.com mylivepage.ru mypage.cz
    myportfolio.com n.nu nethouse.me no.comunidades.net npage.at npage.ch npage.de npage.eu okis.ru onlc.be
    onlc.eu onlc.fr oyla.de oyla10.de oyla2.de oyla3.de oyla4.de oyla5.de oyla6.de oyla7.de oyla8.de oyla9.de
    p0.ru page4.com page4.me pagedemo.co pagesperso-orange.fr piczo.com pl.tl puslapiai.lt referata.com
    repage.de secureserversites.net simdif.com simvoly.com sitelio.me sitew.de sitew.eu sitew.in sitew.org
    sitey.me snack.ws snappages.com snappages.site softr.app spruz.com stranky1.cz suntuubi.com super.site
    systeme.io taplink.ws tilda.cc tr.gg ucoz.ae ucoz.club ucoz.co.uk ucoz.com.br ucoz.fr ucoz.hu ucoz.kz
    ucoz.lt ucoz.lv ucoz.pl ucoz.ro ucoz.site ucoz.ua ucraft.net ucraft.site ukit.me umi.ru unbouncepages.com
    usite.pro violet.vn webador.at webador.be webador.ch webador.co.uk webador.de webador.dk webador.es
    webador.fr webador.ie webador.it webador.nl webador.no webador.pt webador.se webcindario.com weblahko.sk
    webmium.com websnadno.cz webwave.dev wetpaint.com wgz.cz wikifoundry.com zyrosite.com
  `),
  // Free hosting
  ...split(`
    0fees.net 0fees.us 20fr.com 20m.com 22web.org 2kool4u.net 4mg.com 4t.com 5u.com 66ghz.com 6te.net 741.com
    8k.com 8m.net 99k.org acquia-sites.com as.ro at.vu atwebpages.com awardspace.biz awardspace.info
    awardspace.net awardspace.us batcave.net beget.tech besaba.com biz.ly boom.ru borec.cz bugs3.com by.ru
    byethost1.com byethost10.com byethost11.com byethost12.com byethost13.com byethost14.com byethost15.com
    byethost16.com byethost17.com byethost18.com byethost2.com byethost22.com byethost24.com byethost3.com
    byethost31.com byethost32.com byethost33.com byethost4.com byethost5.com byethost6.com byethost7.com
    byethost8.com byethost9.com c0.pl cal.pl ch.vu chat.ru chez.com cloudwaysapps.com co.cc com.sapo.pt
    comli.com comoj.com comze.com coreserver.jp ct.ws cu.cc cwsurf.de cz.cc czweb.org de.vu dothome.co.kr dx.am
    easter.ne.jp eb2a.com elementfx.com eu.pn euweb.cz evai.pl extra.hu faithweb.com fatal.ru fc2web.com
    flywheelsites.com flywheelstaging.com fm.interiowo.pl fortunecity.com fortunecity.ws free.bg free.nf
    freeoda.com freeweb.hu friko.pl funpic.de funpic.org fws1.com g6.cz getenjoyment.net gq.nu h1.ru h10.ru
    h11.ru h12.ru h14.ru h15.ru h16.ru h17.ru hebergratuit.net herobo.com hit.bg ho.ua home.pl home.ro host.sk
    host22.com host56.com hostei.com hostoi.com hostzi.com hpg.com.br htmlplanet.com hut.ru hut1.ru hut2.ru
    hyperphp.com iblogger.org ic.cz iceiy.com iespana.es ifrance.com ihostfull.com interiowo.pl iptime.org
    isgreat.org itgo.com ivyro.net iwarp.com keed.pl kesug.com kilu.de kinsta.cloud kvalitne.cz lescigales.org
    likesyou.org liveblog365.com lolipop.jp lovestoblog.com lx.ro maweb.eu medianewsonline.com moxo.cz mw.lt
    myartsonline.com mycafe24.com mygamesonline.org mypressonline.com mystagingwebsite.com mywebcommunity.org
    net23.net net46.net net63.net net76.net net84.net netau.net netsons.org newmail.ru ninja-web.net nm.ru
    no.sapo.pt nobody.jp ohost.de olympe.in onlinewebshop.net orgfree.com own.cz perso.sfr.fr php5.cz pluto.ro
    prv.pl pytalhost.com pytalhost.de republika.pl s5.com scienceontheweb.net scriptmania.com sg-host.com
    site11.com site40.net site50.net site90.com sites.uol.com.br somee.com sportsontheweb.net starfree.jp
    strefa.pl sweb.cz talk4fun.net tiiny.site tmweb.ru totalh.net tvheaven.com tym.cz ueuo.com ugu.pl unas.cz
    unaux.com uv.ro vacau.com vilabol.uol.com.br vndv.com w.interiowo.pl wap.sh waphall.com wapka.co wapka.me
    wapka.mobi wapkiz.com wbl.sk wbs.cz webatu.com webd.pl webege.com webpark.pl webuda.com webzdarma.cz wen.ru
    woobi.co.kr wp-x.jp wpblog.jp wpcomstaging.com wpengine.com wuaze.com x10.bz x10.mx xaa.pl xdomain.jp xf.cz
    xoom.it xpg.com.br xrea.com xsrv.jp xt.pl y0.pl yn.lt yoyo.pl za.pl zxq.net zzz.com.ua
  `),
  // Forums
  ...split(`
    0pk.ru 1fr1.net 2bb.ru 2x2forum.com 2x2forum.ru 3bb.ru 3oloum.com 4ra.pl 4rumer.com 6bb.ru 7bb.ru 7olm.org
    8bb.ru 9bb.ru ace.st actieforum.com activoforo.com aforumfree.com ahladalil.com ahlamontada.com
    ahlamontada.net all-up.com ba7r.org bbactif.com bbfr.net bbok.ru bestbb.ru boards.net circle.so
    clicforum.com clicforum.fr creaforo.com creatuforo.com darkbb.com editboard.com ephpbb.com exprimetoi.com
    exprimetoi.net ezboard.com f-rpg.ru flyboard.ru fora.pl foren-city.de foroactivo.com.es foroactivo.net
    foroes.org foros.net forosactivos.net forum2x2.com forum2x2.ru forumactif.eu forumactif.fr forumactif.net
    forumattivo.com forumattivo.it forumbb.ru forumeiro.com forumeiros.com forumer.com forumer.it forumgreek.com
    forumieren.eu forumieren.net forumotion.co.uk forumotion.eu forumotion.net forumpolish.com forumpro.fr
    forumsactifs.com forumsactifs.net forumvi.com frbb.net freeforumzone.com goodforum.net heavenforum.com
    heavenforum.org homepagemodules.de hooxs.com hungarianforum.net hutt.ru invisionfree.com invisionzone.com
    iphpbb3.com ixbb.ru justgoo.com kanak.fr lebonforum.com lefora.com lifeme.net logu2.com mam9.com mforos.com
    moontada.com moontada.net mybb.su mybb2.ru mybb3.ru myfreeforum.org niceboard.com niceboard.org own0.com
    palstani.com phorum.pl phpbb8.de plusboard.de rolbb.me rolbb.ru rpg-board.net rusff.ru serbianforum.info
    siteboard.de siteboard.eu smfforfree.com smfforfree2.com smfforfree3.com smfforfree4.com smfnew.com spybb.ru
    sudanforums.net superforos.com superforum.fr syriaforums.net thai-forum.net unoforum.pro unoforum.ru
    userforum.ru vbulletin.net webtalk.ru xobor.com xobor.de xooit.be xooit.eu xooit.fr xooit.org yoo7.com
    zetaboards.com
  `),
  // Shops
  ...split(`
    all.biz booth.pm deal.by en.alibaba.com fanbox.cc gumroad.com indonetwork.co.id jumpseller.com lnwshop.com
    loja2.com.br lojaintegrada.com.br lojavirtualnuvem.com.br mijnwebwinkel.nl mitiendanube.com myinsales.ru
    podia.com prom.ua satom.ru stores.jp tarad.com teachable.com thebase.in thinkific.com tictail.com tiu.ru
    uaprom.net
  `),
  // Photos, sound and help pages
  ...split(`
    buzzsprout.com helpscoutdocs.com jalbum.net libsyn.com photoshelter.com pixieset.com podbean.com
    podomatic.com promodj.com rajce.idnes.cz rajce.net readme.io simplecast.com smugmug.com transistor.fm
    zenfolio.com
  `),
  // Kinds of the first version
  '000webhostapp.com',
  '1.bp.blogspot.com',
  '110mb.com',
  '16mb.com',
  '2.bp.blogspot.com',
  '3.bp.blogspot.com',
  '4.bp.blogspot.com',
  '42web.io',
  '4bb.ru',
  '50megs.com',
  '5bb.ru',
  '8m.com',
  '96.lt',
  'activeboard.com',
  'ameblo.jp',
  'ampblogs.com',
  'angelfire.com',
  'at.ua',
  'atspace.com',
  'atw.hu',
  'awardspace.com',
  'bandcamp.com',
  'beehiiv.com',
  'bigcartel.com',
  'blog.bg',
  'blog.com',
  'blog.cz',
  'blog.hu',
  'blog.ir',
  'blog.jp',
  'blog.pl',
  'blog4ever.com',
  'blogdon.net',
  'blogfa.com',
  'blogfree.net',
  'blogg.no',
  'blogg.se',
  'blogocial.com',
  'blogolize.com',
  'blogs.com',
  'blogs.sapo.pt',
  'blogsky.com',
  'blogspirit.com',
  'bloguetechno.com',
  'bloog.pl',
  'blox.pl',
  'boardhost.com',
  'booklikes.com',
  'borda.ru',
  'bp.blogspot.com',
  'bravehost.com',
  'bravepages.com',
  'bravesites.com',
  'business.site',
  'byethost.com',
  'canalblog.com',
  'cargocollective.com',
  'cba.pl',
  'cdn.ampproject.org',
  'centerblog.net',
  'cocolog-nifty.com',
  'comuf.com',
  'contently.com',
  'createaforum.com',
  'designertoblog.com',
  'deviantart.com',
  'diary.ru',
  'diowebhost.com',
  'do.am',
  'doodlekit.com',
  'dreamwidth.org',
  'e-monsite.com',
  'edublogs.org',
  'eklablog.com',
  'emyspot.com',
  'eoldal.hu',
  'epizy.com',
  'estranky.cz',
  'estranky.sk',
  'esy.es',
  'eu5.org',
  'exblog.jp',
  'fandom.com',
  'fc2.com',
  'files.wordpress.com',
  'foroactivo.com',
  'forum24.ru',
  'forumactif.com',
  'forumactif.org',
  'forumcommunity.net',
  'forumfree.it',
  'forumgratuit.org',
  'forumieren.com',
  'forumieren.de',
  'forumotion.com',
  'free.fr',
  'freeforums.net',
  'freeforums.org',
  'freehostia.com',
  'freeservers.com',
  'freewebs.com',
  'full-design.com',
  'geocities.com',
  'geocities.jp',
  'geocities.ws',
  'getbb.ru',
  'ghost.io',
  'glitch.me',
  'godaddysites.com',
  'gportal.hu',
  'great-site.net',
  'hautetfort.com',
  'hol.es',
  'home.blog',
  'homestead.com',
  'hpage.com',
  'hubpages.com',
  'infinityfreeapp.com',
  'insanejournal.com',
  'jimdo.com',
  'jimdofree.com',
  'jimdosite.com',
  'jugem.jp',
  'kazeo.com',
  'livedoor.jp',
  'livejournal.com',
  'medium.com',
  'mihanblog.com',
  'miraheze.org',
  'moonfruit.com',
  'moy.su',
  'mozello.com',
  'multiscreensite.com',
  'my1.ru',
  'mybb.ru',
  'mybjjblog.com',
  'mystrikingly.com',
  'narod.ru',
  'narod2.ru',
  'nation2.com',
  'neocities.org',
  'netai.net',
  'nethouse.ru',
  'ning.com',
  'over-blog.com',
  'over.blog',
  'overblog.com',
  'overblog.de',
  'page.tl',
  'pages10.com',
  'pbworks.com',
  'pe.hu',
  'pinger.pl',
  'pixnet.net',
  'pointblog.net',
  'posthaven.com',
  'proboards.com',
  'rf.gd',
  'rolka.su',
  'rusff.me',
  'seesaa.net',
  'shotblogs.com',
  'shoutwiki.com',
  'site123.me',
  'site88.net',
  'site90.net',
  'sites.google.com',
  'sitew.com',
  'sitew.fr',
  'skyrock.com',
  'soup.io',
  'squarespace.com',
  'storenvy.com',
  'strikingly.com',
  'substack.com',
  'svbtle.com',
  'tapatalk.com',
  'thezenweb.com',
  'tilda.ws',
  'tinyblogging.com',
  'tistory.com',
  'tribunablog.com',
  'tripod.co.uk',
  'tripod.com',
  'tripod.de',
  'tumblr.com',
  'typepad.com',
  'ucoz.com',
  'ucoz.de',
  'ucoz.es',
  'ucoz.net',
  'ucoz.org',
  'ucoz.ru',
  'ultraweb.hu',
  'unblog.fr',
  'uphero.com',
  'uw.hu',
  'web.archive.org',
  'webador.com',
  'webgarden.cz',
  'webs.com',
  'webstarts.com',
  'weebly.com',
  'weeblysite.com',
  'widblog.com',
  'wifeo.com',
  'wikia.com',
  'wikidot.com',
  'wikispaces.com',
  'wordpress.com',
  'wz.cz',
  'x10host.com',
  'xanga.com',
  'xooit.com',
  'xtgem.com',
  'yuku.com',
  'zohosites.com',
]);

/** Services that use the same name under many top-level domains, such as blogspot.com and blogspot.co.uk. */
export const sharedNames: readonly string[] = ['blogspot', 'webnode'];

/** FC2 has the blogs and pages of its users below numbered servers, such as x.blog12.fc2.com and x.web.fc2.com. */
export const sharedServer = /^(?:blog|web)\d*\.fc2\.com$/;

/**
 * The endings of Blogger's addresses for countries, which show the same blog as blogspot.com: Google's entries in the
 * Public Suffix List of 2022.
 */
export const bloggerEndings: ReadonlySet<string> = new Set(
  (
    'ae al am ba be bg bj ca cf ch cl co.at co.id co.il co.ke co.nz co.uk co.za com.ar com.au com.br com.by com.co ' +
    'com.cy com.ee com.eg com.es com.mt com.ng com.tr com.uy cv cz de dk fi fr gr hk hr hu ie in is it jp kr li lt lu ' +
    'md mk mr mx my nl no pe pt qa re ro rs ru se sg si sk sn td tw ug vn'
  ).split(' '),
);
